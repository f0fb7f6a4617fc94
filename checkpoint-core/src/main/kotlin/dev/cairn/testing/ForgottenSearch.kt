package dev.cairn.testing

import dev.cairn.heap.Forgotten
import dev.cairn.heap.ProgramClasses
import dev.cairn.heap.onceEach
import dev.cairn.sion.store.FileBlockStore
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
        sortedBy { it.note !is Forgotten.Note.NeverDeclared }.map { ForgottenState.Finding(it, confirmed[it]) }

    /** Whether each of the [suspects] that can be set explains alone why the results differ after a restart. */
    private fun confirm(suspects: List<Forgotten>): Map<Forgotten, Boolean> {
        val undeclared = suspects.filter { it.note !is Forgotten.Note.Declared }
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
            val unbroken = look(history, heaps, "unbroken")
            check(unbroken.isNotEmpty()) {
                "the program ended before it waited after step ${trial.breakAt + 1}: interrupt it earlier, and let " +
                    "it pass saveIfDue after each step"
            }
            history.loseFrom(trial.breakAt + 1)
            require(history.saves.lastOrNull()?.step == trial.breakAt) {
                "the program does not save after step ${trial.breakAt}: interrupt it at a step that it saves, or let " +
                    "it save after every step while it is tried"
            }
            val restarted = look(history, heaps, "restarted")
            check(restarted.map { it.step } == unbroken.map { it.step }) {
                "the program waited after steps ${stepsOf(unbroken)}, and after a restart from step " +
                    "${trial.breakAt} after ${stepsOf(restarted)}: let it do the same steps"
            }
            return unbroken.zip(restarted) { one, other ->
                Compared(one.step, (one.differences(other) + compareHeaps(one.heap, other.heap)).onceEach())
            }
        } finally {
            // They hold all memory of the program.
            files.list(heaps).forEach(files::delete)
            files.delete(heaps)
        }
    }

    private fun stepsOf(views: List<HeldView>) = views.joinToString { "${it.step}" }.ifEmpty { "none" }

    private fun look(history: ProcessHistory, heaps: Path, run: String): List<HeldView> {
        val heap = heaps.resolve("held.hprof")
        val step = trial.breakAt + 1
        if (!DebuggedMachine.isOffered) {
            unseen += "local variables of primitive types, as this Java runtime lacks jdk.jdi or jdk.jdwp.agent"
            return history.hold(step, heap, emptyList()) { view(history, heap, run, it, emptyMap()) }
        }
        return LocalVariables(::isOfProgram).use { variables ->
            history.hold(step, heap, variables.options) { view(history, heap, run, it, variables.read()) }.also {
                unseen += variables.unnamed.map { type -> "local variables of $type, compiled without their names" }
            }
        }
    }

    /** The program goes on when its heap was taken. */
    private fun view(
        history: ProcessHistory,
        heap: Path,
        run: String,
        process: ProcessHandle,
        variables: Map<HeldView.Place, String>,
    ): HeldView {
        val positions = FilePositions(process.pid(), history.work, history.store).positions()
        if (positions == null) unseen += "the positions of open files, which only Linux tells"
        val step = history.newestStep()
        val taken = heap.resolveSibling("$run-$step.hprof").also { files.rename(heap, it) }
        return HeldView(step, taken, variables + positions.orEmpty())
    }

    private fun isOfProgram(type: String) =
        type.startsWith("${program.mainClass.substringBeforeLast('.')}.") || !ProgramClasses.isLibrary(type)
}
