package dev.cairn.testing

import dev.cairn.item.knownKind
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.Manifest
import dev.cairn.store.ManifestFormat
import dev.cairn.store.ManifestItem
import dev.cairn.store.SaveNames
import java.nio.file.Path

/** The first difference of two histories: after [step] steps, in these [items]. */
internal class Difference(
    val step: Long,
    val items: List<String>,
)

/** A checkpoint, as described by its manifest, with the content of the outputs when its state was taken. */
internal class Waymark(
    val manifest: Manifest,
    val outputs: Map<String, String>,
) {
    val step get() = manifest.step
}

/**
 * All checkpoints that a program has made in a place of its own, in order; they outlive their data. It begins without any
 * [outputs].
 */
internal class TrialHistory(
    outputs: WatchedOutputs,
) {
    private val files = Waymarks(SimulatedDisk().host("trial"), outputs.apply { remove() })

    val saves: List<Waymark> get() = files.marks.map { (_, mark) -> mark }

    /** Continues, from the last checkpoint if there is one. */
    suspend fun play(
        rankCount: Int,
        stopAt: Long?,
        program: suspend (rankCount: Int, RestartTrial.Attempt) -> Unit,
    ) = program(rankCount, RestartTrial.Attempt(stopAt, files))

    /** As if the program had been killed in its last save. */
    fun loseNewest() {
        val (manifest, _) = files.marks.removeLast()
        files.rename(manifest, manifest.resolveSibling(SaveNames.NEW_MANIFEST))
    }

    /** The first save in which [other] differs; null if it agrees as far as it goes. */
    fun difference(other: TrialHistory): Difference? =
        other.saves.indices.firstNotNullOfOrNull { at ->
            val own = saves.getOrNull(at)
            val items = if (own == null) listOf("the last step") else differentItems(own, other.saves[at])
            Difference(other.saves[at].step, items).takeIf { items.isNotEmpty() }
        }

    /** The end of [other], if this history is longer. */
    fun firstBeyond(other: TrialHistory): Difference? =
        saves.getOrNull(other.saves.size)?.let { Difference(it.step, listOf("the last step")) }

    private fun differentItems(
        one: Waymark,
        other: Waymark,
    ): List<String> {
        if (one.step != other.step ||
            one.manifest.phase != other.manifest.phase
        ) {
            return listOf("the steps that are saved")
        }
        return differentItems(one.manifest, other.manifest) +
            one.outputs.keys.filter { one.outputs[it] != other.outputs[it] }
    }

    private fun differentItems(
        one: Manifest,
        other: Manifest,
    ): List<String> {
        val isSameCount = one.rankCount == other.rankCount
        return one.items
            .zip(other.items)
            .filter { (mine, its) -> mine.digest != its.digest && (isSameCount || !isPrivate(mine)) }
            .map { (mine, _) -> mine.name }
    }

    /** Whether other ranks have it in other parts. */
    private fun isPrivate(item: ManifestItem) = item.knownKind()?.isPrivate == true
}

/** Sets a mark for each manifest that is given its name. */
private class Waymarks(
    private val target: BlockStore,
    private val outputs: WatchedOutputs,
) : BlockStore by target {
    val marks = mutableListOf<Pair<Path, Waymark>>()
    private var outputsNow = emptyMap<String, String>()

    /**
     * A trial begins with an empty disk, and an output may be in any directory. The data of a save are created while all ranks
     * wait for that; when it is committed, the program may have gone on.
     */
    override fun create(file: Path): BlockFile {
        file.parent?.let(::makeDirectories)
        if (file.fileName.toString() == SaveNames.DATA) outputsNow = outputs.digests()
        return target.create(file)
    }

    private fun makeDirectories(directory: Path) {
        if (target.exists(directory)) return
        directory.parent?.let(::makeDirectories)
        target.makeDirectory(directory)
    }

    override fun rename(
        from: Path,
        to: Path,
    ) {
        target.rename(from, to)
        if (to.fileName.toString() != SaveNames.MANIFEST) return
        marks += to to Waymark(ManifestFormat.read(target, to).manifest, outputsNow)
    }
}
