package dev.cairn.cli

import dev.cairn.command.Refusal
import dev.cairn.event.CheckpointException
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.reading.StoredSave
import dev.cairn.reading.StoredSave.State
import dev.cairn.store.Survey
import dev.cairn.store.observe
import kotlinx.serialization.Serializable
import picocli.CommandLine.Command
import picocli.CommandLine.Parameters

/** `cairn verify`: whether checkpoints are good, to the last byte. */
@Command(
    name = "verify",
    description = [
        "Reads every byte of a checkpoint and compares it with what was saved.",
        "It compares the manifest with its digest, the tables of contents with their hash and with those of the " +
            "ranks, every frame with its checksum, and every item with its digest. Without a number it verifies all " +
            "checkpoints in the directory.",
    ],
    footer = ["", "Exit code 0: all are good; 1: one is not.", "", "Example: cairn verify heat.cairn 7"],
)
internal class VerifyVerb(shell: Shell) : ReportVerb<Verification>(shell, Verification.serializer()) {
    @Parameters(
        index = "0",
        paramLabel = "DIR[/NUMBER]",
        description = ["A checkpoint, or a directory for all of them."],
    )
    private lateinit var place: Place

    @Parameters(index = "1", arity = "0..1", paramLabel = "NUMBER", description = [Place.NUMBER])
    private var number: Int? = null

    override fun report(): Verification {
        val (directory, number) = shell.locate(place, number)
        val checkpoints = shell.checkpointsIn(directory)
        if (number != null) {
            return Verification("$directory", listOfNotNull(check(checkpoints, checkpoints.save(number))), emptyList())
        }
        val verification =
            shell.storeIn(directory).observe(isSure = { it.saves.isNotEmpty() }) { verifyAll(checkpoints, it) }
        if (verification.saves.isEmpty()) {
            throw Refusal("$directory: it holds no checkpoint.${onHosts(verification.sealed)}")
        }
        return verification
    }

    private fun verifyAll(checkpoints: StoredCheckpoints, survey: Survey): Verification {
        val saves = checkpoints.saves(survey) {}
        val checked = saves.mapNotNull { save -> unlessDeleted { check(checkpoints, save) } }
        val sealed = saves.filterIsInstance<StoredSave.Sealed>().map { it.number }
        val drained = survey.sealed.filter { shell.isDrained(it, checkpoints.directory) }.map { it.number }
        return Verification(
            "${checkpoints.directory}",
            checked,
            sealed.map { SealedSave(it, saves.prospectOf(it), isDrained = it in drained) },
        )
    }

    private fun onHosts(sealed: List<SealedSave>) =
        sealed.joinToString("") { " The data of save ${it.number} ${it.whereabouts}." }

    override fun lines(report: Verification): List<String> =
        report.saves.flatMap { it.lines() } +
            report.sealed.map {
                "save ${it.number}: not verified; its data ${it.whereabouts}"
            }

    override fun isYes(report: Verification): Boolean = report.saves.all { it.isGood }

    /** Saves that are not or no longer checkpoints are left out. */
    private fun check(checkpoints: StoredCheckpoints, save: StoredSave): VerifiedSave? =
        when (save) {
            is StoredSave.Good -> verified(checkpoints, save)
            is StoredSave.Unsupported -> throw save.failure
            else -> if (save.isBad) bad(save) else null
        }

    private fun verified(checkpoints: StoredCheckpoints, save: StoredSave.Good): VerifiedSave {
        val flaws = checkpoints.verify(save.number)
        val isGood = flaws.isEmpty()
        val found = if (isGood) State.GOOD else State.DAMAGED
        return save.run { VerifiedSave(number, isGood, found.inWords, flaws, rankCount, itemCount, byteCount) }
    }

    private fun bad(save: StoredSave) =
        VerifiedSave(save.number, isGood = false, save.state.inWords, listOfNotNull(save.reason))

    private fun unlessDeleted(check: () -> VerifiedSave?): VerifiedSave? =
        try {
            check()
        } catch (failure: CheckpointException.Unreadable) {
            if (failure.reason != CheckpointException.Reason.NO_SUCH_CHECKPOINT) throw failure
            null
        }
}

@Serializable
internal class Verification(val store: String, val saves: List<VerifiedSave>, val sealed: List<SealedSave>)

/** A save on the disks of its hosts, and what becomes of it. */
@Serializable
internal class SealedSave(val number: Int, val prospect: String, val isDrained: Boolean) {
    val whereabouts: String
        get() =
            if (isDrained) {
                "are all here, and the next start or 'cairn drain' $VERIFIES it"
            } else {
                "lie on the disks of its hosts: $prospect"
            }
}

@Serializable
internal class VerifiedSave(
    val number: Int,
    val isGood: Boolean,
    val state: String,
    val flaws: List<String>,
    val rankCount: Int? = null,
    val itemCount: Int? = null,
    val byteCount: Long? = null,
) {
    fun lines(): List<String> =
        if (isGood) {
            listOf("save $number: good; ranks $rankCount, items $itemCount, bytes $byteCount")
        } else {
            flaws.map { "save $number: $state; $it" }
        }
}
