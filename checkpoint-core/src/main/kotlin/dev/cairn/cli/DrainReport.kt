package dev.cairn.cli

import kotlinx.serialization.Serializable

/**
 * What a call of `cairn drain` did: the sealed [saves], newest first, and what became of the files on the [host] then. Those of
 * [unfinished] saves stay.
 */
@Serializable
internal class DrainReport(
    val store: String,
    val host: String,
    val saves: List<DrainedSave>,
    val deleted: List<Int>,
    val kept: List<KeptSave> = emptyList(),
    val unfinished: List<Int> = emptyList(),
) {
    val isDamaged: Boolean get() = saves.any { it.result == DrainResult.DAMAGED } || kept.isNotEmpty()

    val isWaiting: Boolean get() = saves.any { it.result == DrainResult.INCOMPLETE || it.result == DrainResult.IN_USE }

    fun lines(): List<String> {
        val lines =
            saves.flatMap { it.lines() } + kept.map { "$it" } + deleted.map { "save $it: deleted from this host" } +
                unfinished.map { "save $it: $UNFINISHED" }
        return lines.ifEmpty { listOf("$store: no save lies on hosts only, and this one holds nothing of it") }
    }
}

/** What a host has kept and deleted of saves that are over, and the [unfinished] ones of which it has files. */
internal class TidiedHost(val kept: List<KeptSave>, val deleted: List<Int>, val unfinished: List<Int>)

/** The committed save [number] of [store] does not have this host's file. */
@Serializable
internal class KeptSave(val number: Int, val store: String, val file: String, val fileHere: String) {
    override fun toString(): String =
        "save $number: kept on this host, since $file differs from $fileHere: if 'cairn verify $store $number' calls " +
            "it damaged, copy the file of this host there"
}

/** What became of a sealed save; [reason] says more. */
@Serializable
internal class DrainedSave(
    val number: Int,
    val step: Long?,
    val result: DrainResult,
    val reason: String? = null,
    val files: List<DrainedFile> = emptyList(),
) {
    /** Whether this call has committed it, so that all files were verified. */
    val isChecked: Boolean get() = result == DrainResult.COMMITTED && files.isNotEmpty()

    fun lines(): List<String> {
        val name = "save $number" + (step?.let { ", step $it" } ?: "")
        return (files.map { "$it" } + (reason ?: "committed")).map { "$name: $it" }
    }
}

/** Whether the save is committed now, or why not. */
@Serializable
internal enum class DrainResult { COMMITTED, INCOMPLETE, DAMAGED, IN_USE, OLDER }

/** What became of a physical file of a sealed save. It is on the hosts [places]; [flaw] is that of a source that was passed over. */
@Serializable
internal class DrainedFile(
    val name: String,
    val result: FileResult,
    val places: List<String>,
    val flaw: String? = null,
) {
    override fun toString(): String =
        when (result) {
            FileResult.DRAINED -> "$name: drained from this host" + after(", since")
            FileResult.DRAINED_BEFORE -> "$name: drained before"
            FileResult.MISSING -> "$name: not on this host, but on ${places.joinToString(" or on ")}" + after(", and")
            FileResult.DAMAGED -> "$name: not drained: $flaw"
        }

    private fun after(word: String) = flaw?.let { "$word what was drained before is of no use: $it" }.orEmpty()
}

@Serializable
internal enum class FileResult { DRAINED, DRAINED_BEFORE, MISSING, DAMAGED }

private const val UNFINISHED = "has not finished; the next start of its program deletes its files on this host"
