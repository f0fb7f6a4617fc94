package dev.cairn.testing

import dev.cairn.heap.Forgotten
import dev.cairn.heap.Forgotten.Note
import dev.cairn.heap.ProgramClasses
import dev.cairn.heap.onceEach
import dev.cairn.heap.onceForRanks
import dev.cairn.run.HeldHeap
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.name
import java.nio.file.Path

/**
 * Looks for what a restart of a [program] loses. It is held at the same step of an unbroken run and of a restarted one, and what is
 * in its memory is compared; and once more a step later, which tells scratch from state.
 *
 * @param directory for the files of the runs
 * @param compared the outputs by which a finding is confirmed, below the working directory; all files if there are none
 */
internal class ForgottenSearch(
    private val trial: RestartTrial,
    private val directory: Path,
    private val command: ProgramCommand,
    private val program: ProgramClasses,
    private val outputs: WatchedOutputs,
    private val compared: Set<Path> = emptySet(),
    private val compareHeaps: (unbroken: Path, restarted: Path) -> List<Forgotten>,
) {
    private class Compared(val step: Long, val differences: List<Forgotten>)

    private val files = FileBlockStore()
    private val unseen = sortedSetOf<String>()

    fun run(): ForgottenState {
        val compared = compare()
        val first = compared.first()
        val next = compared.getOrNull(1)
        if (next == null) unseen += "the next step, as step ${first.step} is the last one: scratch is among the state"
        val later = next?.differences?.mapTo(HashSet()) { it.place }
        // What differs only later follows from what differs now.
        val (scratch, lasting) = first.differences.partition { later != null && it.isScratch(later) }
        val confirmed = if (trial.isConfirmed) confirm(lasting) else emptyMap()
        return ForgottenState(
            trial.breakAt,
            first.step,
            lasting.inOrder(confirmed),
            scratch.inOrder(emptyMap()),
            unseen.toList(),
        )
    }

    private fun List<Forgotten>.inOrder(confirmed: Map<Forgotten, Boolean>) =
        onceForRanks()
            .sortedBy { placeOf(it.note) }
            .map { ForgottenState.Finding(it, confirmed[it]) }

    private fun placeOf(note: Note) =
        when (note) {
            is Note.NeverDeclared -> 0
            is Note.Declared -> 2
            else -> 1
        }

    /** Whether each of the [suspects] that can be set explains alone why the results differ after a restart. */
    private fun confirm(suspects: List<Forgotten>): Map<Forgotten, Boolean> {
        val undeclared = suspects.filter { it.note is Note.NeverDeclared || it.note is Note.PerhapsDeclared }
        if (undeclared.isEmpty()) return emptyMap()
        var count = 0
        val confirmation =
            Confirmation(trial) {
                ProcessHistory(directory.resolve("confirm-${++count}"), trial, command, outputs, compared)
            }
        if (confirmation.hasSameResults(emptyList()) == true) {
            unseen += "results with each place set, as they are the same without that"
            return emptyMap()
        }
        return undeclared
            .mapNotNull { found ->
                confirmation.hasSameResults(listOf(found))?.let { found to it }
            }.toMap()
    }

    /** At one step or two, if the program does not end before. */
    private fun compare(): List<Compared> {
        val history = ProcessHistory(directory.resolve("search"), trial, command, outputs)
        val heaps = directory.resolve("heaps").also(files::makeDirectory)
        try {
            val unbroken = look(history, heaps.resolve(UNBROKEN))
            check(unbroken.isNotEmpty()) {
                "the program ended before it waited after step ${trial.breakAt + 1}: interrupt it earlier, and let " +
                    "it pass saveIfDue after each step"
            }
            history.loseFrom(trial.breakAt + 1)
            require(history.saves.lastOrNull()?.step == trial.breakAt) {
                "the program does not save after step ${trial.breakAt}: interrupt it at a step that it saves, or let " +
                    "it save after every step while it is tried, in the directory that CAIRN_DIR names"
            }
            val restarted = look(history, heaps.resolve(RESTARTED))
            check(restarted.map { it.step to it.rank } == unbroken.map { it.step to it.rank }) {
                "the program waited after steps ${stepsOf(unbroken)}, and after a restart from step " +
                    "${trial.breakAt} after ${stepsOf(restarted)}: let it do the same steps"
            }
            return unbroken.zip(restarted).groupBy { (one) -> one.step }.map { (step, ofRanks) ->
                Compared(step, ofRanks.flatMap { (one, other) -> differences(one, other) })
            }
        } finally {
            // They hold all memory of the program.
            for (folder in listOf(heaps.resolve(UNBROKEN), heaps.resolve(RESTARTED), heaps).filter(files::exists)) {
                files.list(folder).forEach(files::delete)
                files.delete(folder)
            }
        }
    }

    private fun differences(unbroken: HeldView, restarted: HeldView): List<Forgotten> {
        val all = unbroken.differences(restarted) + compareHeaps(unbroken.heap, restarted.heap)
        return all.onceEach().map { it.copy(rank = unbroken.rank) }
    }

    private fun stepsOf(views: List<HeldView>) =
        views
            .map { it.step }
            .distinct()
            .joinToString()
            .ifEmpty { "none" }

    /** Each run has its own directory of [heaps]: until it is killed, it goes on, and may write one more. */
    private fun look(history: ProcessHistory, heaps: Path): List<HeldView> {
        files.makeDirectory(heaps)
        val step = trial.breakAt + 1
        if (!DebuggedMachine.isOffered) {
            unseen += "local variables of primitive types, as this Java runtime lacks jdk.jdi or jdk.jdwp.agent"
            return history.hold(step, heaps, emptyList()) { views(history, heaps) { emptyMap() } }.flatten()
        }
        return LocalVariables(trial.processCount, ::isOfProgram).use { variables ->
            val views = history.hold(step, heaps, variables.options) { views(history, heaps, variables::read) }
            unseen += variables.unnamed.map { type -> "local variables of $type, compiled without their names" }
            views.flatten()
        }
    }

    /** One of each process; null until all have written their heaps. They go on when these were taken. */
    private fun views(
        history: ProcessHistory,
        heaps: Path,
        variables: (rank: Int) -> Map<HeldView.Place, String>,
    ): List<HeldView>? {
        val held = files.list(heaps).mapNotNull { HeldHeap.of(it.name) }.sortedBy { it.rank }
        if (held.isEmpty() || held.size < held.first().processCount) return null
        val step = history.newestStep()
        val values = held.map { variables(it.rank) + positions(history, it.pid) }
        return held.zip(values) { process, its ->
            val taken = heaps.resolve("taken-$step-${process.rank}.hprof")
            files.rename(heaps.resolve(process.name), taken)
            HeldView(step, process.rank.takeIf { held.size > 1 }, taken, its)
        }
    }

    private fun positions(history: ProcessHistory, pid: Long): Map<HeldView.Place, String> {
        val positions = FilePositions(pid, history.work, history.store).positions()
        if (positions == null) unseen += "the positions of open files, which only Linux tells"
        return positions.orEmpty()
    }

    private fun isOfProgram(type: String) =
        type.startsWith("${program.mainClass.substringBeforeLast('.')}.") || !ProgramClasses.isLibrary(type)
}

private const val UNBROKEN = "unbroken"
private const val RESTARTED = "restarted"
