package dev.cairn.testing

import dev.cairn.Simulation
import dev.cairn.event.counted
import dev.cairn.heap.Ignored
import dev.cairn.heap.ProgramClasses
import dev.cairn.heap.compareHeaps
import dev.cairn.java.BlockingCommunicator
import dev.cairn.java.BlockingRanks
import dev.cairn.java.BlockingSimulation
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.DrainRule
import dev.cairn.options.Triggers
import dev.cairn.options.Wait
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.Launch
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.ranks
import dev.cairn.run.LoopSurroundings
import dev.cairn.sion.store.BlockStore
import dev.cairn.state.ThrowingBiConsumer
import dev.cairn.state.ThrowingConsumer
import kotlinx.coroutines.runBlocking
import java.nio.file.Path

/**
 * Tests in a unit test whether a restart changes the results of a program:
 *
 * ```
 * RestartTrial(rankCount = 4, breakAt = 17, restartOn = listOf(1, 3, 4)).run { heat() }
 * ```
 *
 * A program that is one process is tried as a command, in Java by `new RestartTrial(17).runMain(directory, "org.example.Pendulum")`.
 *
 * The program runs once from its beginning to its end, and then again in two parts: killed a step after [breakAt], and
 * from the checkpoint of [breakAt] on, on each number of ranks of [restartOn]. It is also killed before its first save,
 * and then begins again, with its earlier outputs still present. After every step the state is compared, item by item
 * and bit by bit, and so are the [outputs] and the [witnesses][dev.cairn.StateBuilder.witness]; at the end the finished files of
 * all outputs are compared. [RestartDiffers] names the first step and the items that differ, and their values; a [RestartTrial.Report] says
 * how much was compared. Private state of each rank (values, parts of sums, streams, witnesses) is compared if the number of
 * ranks is the same, and otherwise only through its effect on other items. A stream whose bytes differ is compared by the values that
 * its [codec][dev.cairn.state.StreamCodec] reads; without one there is a warning.
 *
 * Ranks are coroutines of this process, or threads. Checkpoints stay in its memory, and so do outputs that are
 * delegated properties, whose directories need not exist: use a small problem. Of its log only warnings are shown. Static variables
 * outlive a run, so unsaved ones are found by [runMain] alone. Immutable; any thread may run one, and waits until it is over.
 * Functions whose names begin with "with" add [outputs], [inputs] and [ignored] to those that there are, and replace all else.
 *
 * @property rankCount the number of ranks at the beginning
 * @property breakAt the number of steps before the checkpoint from which the program continues
 * @property restartOn the numbers of ranks for the continuation, each in a restart of its own
 * @property outputs files to which it appends by itself; they must not exist before the trial, and are deleted after it
 * @property seed from which the order of the ranks and of their messages is drawn, in all runs, as in
 *   [Schedule.Deterministic]; null for ranks at full speed, in an order that differs from run to run
 * @property wait how long a save keeps a program whose loop Cairn keeps. With [Wait.COPIED] it goes on while its state is
 *   written, with [Wait.LOCAL] while that is drained from the disk of its host, which lies in memory too; a program with a loop of its own
 *   chooses by itself which function saves
 * @property every the number of steps from one save to the next, of which [breakAt] is a multiple; more than one for a program of many
 *   short steps. A program that [runOwnLoop] tries saves by itself
 * @property inputs files and directories that a program started by [runMain] reads in its working directory, where each run has copies of
 *   them
 * @property ignored what [findForgottenState] leaves out: fields as `Class.field`, classes, and packages with all below them
 * @property isConfirmed whether [findForgottenState] restarts the program once more for each number, text or array of numbers that it
 *   names, with that set as in the unbroken run, and tells whether the results are then the same. For one rank
 * @property launcher the words before the number of ranks in the command that starts them as processes of this host, such as `mpirun -n`;
 *   for [runMain] and [findForgottenState]. None for coroutine ranks
 */
public class RestartTrial(
    public val rankCount: Int,
    public val breakAt: Long,
    public val restartOn: List<Int> = listOf(1, rankCount, rankCount + 1),
    public val outputs: List<Path> = emptyList(),
    public val seed: Long? = null,
    public val wait: Wait = Wait.COMMITTED,
    public val every: Long = 1,
    public val inputs: List<Path> = emptyList(),
    public val ignored: List<String> = emptyList(),
    public val isConfirmed: Boolean = false,
    public val launcher: List<String> = emptyList(),
) {
    /** A trial of a program that is one process: with [runMain], or of a simulation on one rank. */
    public constructor(breakAt: Long) : this(1, breakAt, listOf(1))

    /** A trial on [rankCount] ranks, on one, and on one more; Java callers go on with the functions whose names begin with "with". */
    public constructor(rankCount: Int, breakAt: Long) : this(rankCount, breakAt, listOf(1, rankCount, rankCount + 1))

    init {
        require(rankCount >= 1 && restartOn.all { it >= 1 }) { "a program has at least one rank" }
        require(breakAt >= 1) { "a program is interrupted after its first step or later, not at $breakAt" }
        require(every >= 1 && breakAt % every == 0L) {
            "the program saves after every $every steps, and so not at step $breakAt: choose a multiple of $every"
        }
        require(!isConfirmed || (rankCount == 1 && launcher.isEmpty())) {
            "forgotten state is confirmed on one rank, without a launcher"
        }
        require(launcher.none { it.substringAfterLast('/') == "srun" }) {
            "srun's processes are those of a daemon, and outlive a run that is killed: launch them by mpirun or mpiexec"
        }
    }

    public fun withRestartOn(rankCounts: List<Int>): RestartTrial = copy(restartOn = rankCounts)

    /** With these [outputs], beside those of earlier calls. */
    public fun withOutputs(outputs: List<Path>): RestartTrial = copy(outputs = this.outputs + outputs)

    public fun withSeed(seed: Long): RestartTrial = copy(seed = seed)

    public fun withWait(wait: Wait): RestartTrial = copy(wait = wait)

    /** With saves after every [steps] steps only. */
    public fun withEvery(steps: Long): RestartTrial = copy(every = steps)

    /** With these [inputs], beside those of earlier calls. */
    public fun withInputs(vararg inputs: Path): RestartTrial = copy(inputs = this.inputs + inputs)

    /**
     * [findForgottenState] leaves out these [names], beside those of earlier calls: fields as `Class.field`, classes, and packages with all
     * below them.
     */
    public fun withIgnored(vararg names: String): RestartTrial = copy(ignored = ignored + names)

    /** With [isConfirmed]. */
    public fun withConfirmation(): RestartTrial = copy(isConfirmed = true)

    /**
     * [runMain] and [findForgottenState] start the program by a [launcher]: after `withLauncher("mpirun", "-n")`, the ranks are processes
     * of `mpirun -n 4 env java …`. A program with a loop of its own calls `configured()`, and opens its checkpoints in the directory that
     * the environment names in `CAIRN_DIR`.
     */
    public fun withLauncher(vararg launcher: String): RestartTrial = copy(launcher = launcher.asList())

    /** In each run of [findForgottenState]. */
    internal val processCount: Int get() = if (launcher.isEmpty()) 1 else rankCount

    internal val isWithoutRanks: Boolean get() = rankCount == 1 && restartOn.all { it == 1 }

    internal fun withBreakAt(step: Long): RestartTrial = copy(breakAt = step)

    private fun copy(
        breakAt: Long = this.breakAt,
        restartOn: List<Int> = this.restartOn,
        outputs: List<Path> = this.outputs,
        seed: Long? = this.seed,
        wait: Wait = this.wait,
        every: Long = this.every,
        inputs: List<Path> = this.inputs,
        ignored: List<String> = this.ignored,
        isConfirmed: Boolean = this.isConfirmed,
        launcher: List<String> = this.launcher,
    ) = RestartTrial(rankCount, breakAt, restartOn, outputs, seed, wait, every, inputs, ignored, isConfirmed, launcher)

    /** Tries a program whose loop Cairn keeps: the body of `simulation("name", args) { … }`. */
    @JvmSynthetic
    public suspend fun run(program: suspend Simulation.() -> Unit): RestartTrial.Report =
        runOwnLoop { attempt ->
            simulationOn(this, attempt).use {
                it.program()
                it.requireSound()
            }
        }

    private fun simulationOn(ranks: Communicator, attempt: Attempt): Simulation {
        val triggers = Triggers(everySteps = every, stopAt = attempt.stopAt)
        val options = optionsIn(attempt.directory)
        return Simulation(ranks, attempt.directory, triggers, options, attempt.files, LoopSurroundings.NONE)
    }

    /** Collective: the program came to its end, and all of its saves and outputs with it. */
    private suspend fun Simulation.requireSound() {
        requireResumed()
        awaitSaves()
        requireAllSaved()
        finishOutputs()
    }

    private fun optionsIn(directory: Path): CheckpointOptions {
        val options = OPTIONS.toBuilder().wait(wait)
        // Which saves are superseded depends on the speed of the drain.
        if (wait == Wait.LOCAL) options.local(directory.resolveSibling("disk")).drain(DrainRule.every())
        return options.build()
    }

    /** As the other [run], for Java: the body of `BlockingSimulation.main("name", args, …)`. */
    public fun run(program: ThrowingConsumer<BlockingSimulation>): RestartTrial.Report =
        run(
            ThrowingBiConsumer<BlockingCommunicator, Attempt> { ranks, attempt ->
                simulationOn(ranks.communicator, attempt).use {
                    program.accept(BlockingSimulation(it, ranks.bridge))
                    ranks.call { it.requireSound() }
                }
            },
        )

    /** Tries a program with a loop of its own, controlled by an [Attempt]. */
    @JvmSynthetic
    public suspend fun runOwnLoop(program: suspend Communicator.(Attempt) -> Unit): RestartTrial.Report =
        compare { count, attempt -> ranks(plan(count)) { program(attempt) } }

    /** As [runOwnLoop], for Java: each rank blocks a thread. */
    public fun run(program: ThrowingBiConsumer<BlockingCommunicator, Attempt>): RestartTrial.Report =
        runBlocking { compare { count, attempt -> BlockingRanks.run(plan(count)) { program.accept(it, attempt) } } }

    /**
     * Tries a program as a command. Each run is a process with a JVM of its own and the class path of this one, which is killed
     * where [run] interrupts it: it waits there after its save, as the setting `hold-at` says. Then it continues from the save
     * of [breakAt]. Static variables begin anew, and bytes that a program buffers are lost, as in a real failure.
     *
     * Each history has a working directory of its own in [directory], with copies of the [inputs]. The files that the program leaves
     * there are compared as its outputs; what it prints is not. Witnesses are not read. Blocks until all processes have ended.
     *
     * @param directory an empty directory, or one that does not exist; the caller deletes it
     * @param mainClass the name of a class whose `main` runs a [dev.cairn.simulation], or opens [dev.cairn.SoloCheckpoints] and passes
     *     `saveIfDue` after each step. The environment has their settings, such as `CAIRN_DIR`, `CAIRN_RANKS` and `CAIRN_EVERY`
     * @param args the program's own arguments. Files in them are [inputs], or have absolute paths
     */
    public fun runMain(directory: Path, mainClass: String, vararg args: String): RestartTrial.Report =
        runCommand(directory, ProgramCommand.ofMain(mainClass, args.asList()))

    /**
     * As [runMain], with any command.
     *
     * @param played the run without an interruption, if it has been played
     */
    internal fun runCommand(
        directory: Path,
        command: ProgramCommand,
        played: ProcessHistory? = null,
    ): RestartTrial.Report {
        requireProcesses()
        var count = 0
        return watching { outputs ->
            TrialCourse(this, isStoppedByProgram = false) {
                val run = directory.toAbsolutePath().resolve("run-${++count}")
                ProcessHistory(run, this, command, outputs, played?.compared.orEmpty())
            }.let { course -> interruptedAtExit { runBlocking { course.run(played) } } }
        }
    }

    /**
     * Compares what is in the memory of a program, at the same step of an unbroken run and of one that was restarted from [breakAt] on
     * as many ranks: objects that its static fields and its methods lead to, their local variables, and the positions of its files. The
     * arguments are those of [runMain]. The program is started twice, and the files of its heaps, which hold all that it knows, are
     * deleted at the end. With a [launcher] each rank is compared with the same rank. Only for HotSpot.
     */
    public fun findForgottenState(directory: Path, mainClass: String, vararg args: String): ForgottenState =
        findForgottenState(
            directory,
            ProgramCommand.ofMain(mainClass, args.asList()),
            ProgramClasses(mainClass, Thread.currentThread().contextClassLoader),
        )

    /**
     * As the other one, with any command.
     *
     * @param compared the outputs by which a finding is confirmed; all files if there are none
     */
    internal fun findForgottenState(
        directory: Path,
        command: ProgramCommand,
        program: ProgramClasses,
        compared: Set<Path> = emptySet(),
    ): ForgottenState {
        requireProcesses()
        return watching { outputs ->
            ForgottenSearch(
                this,
                directory.toAbsolutePath(),
                command,
                program,
                outputs,
                compared,
            ) { unbroken, restarted ->
                compareHeaps(unbroken, restarted, program, ignored = Ignored(ignored.toSet()))
            }.let { interruptedAtExit(it::run) }
        }
    }

    private fun requireProcesses() {
        require(seed == null && wait == Wait.COMMITTED) { "seed and wait are for programs that run in this process" }
        requireAlone(Launch.ofThisProcess())
    }

    /**
     * One run of the program, or a part of one. The program keeps its checkpoints in [directory] of [files], restores
     * first, saves after each step, and ends when it [isOver]. Its work since the last save but one is then lost. It saves as it
     * does elsewhere: a program that calls `saveAsync` awaits its saves before it closes its checkpoints.
     */
    public class Attempt internal constructor(internal val stopAt: Long?, public val files: BlockStore) {
        public val directory: Path = Path.of("trial.cairn")

        /** Whether the program is interrupted after this [step], which it has saved. */
        public fun isOver(step: Long): Boolean = step == stopAt
    }

    private fun plan(count: Int) = RankPlan(count, seed?.let(Schedule::Deterministic) ?: Schedule.Fast())

    private suspend fun compare(program: suspend (rankCount: Int, Attempt) -> Unit): RestartTrial.Report {
        require(inputs.isEmpty() && launcher.isEmpty()) {
            "inputs and a launcher are for programs that are started by runMain()"
        }
        return watching { outputs ->
            TrialCourse(this, isStoppedByProgram = true) { MemoryHistory(outputs, breakAt, program) }.run()
        }
    }

    private inline fun <T> watching(work: (WatchedOutputs) -> T): T {
        val outputs = WatchedOutputs(outputs).apply { requireAbsent() }
        try {
            return work(outputs)
        } finally {
            outputs.remove()
        }
    }

    /**
     * How much a [RestartTrial] has seen, if it has passed. Its text is a sentence for the output of a test. A state that influences
     * nothing of this before the program ends may be lost at a restart, and the trial passes.
     *
     * @property items the names of the declared items that were compared
     * @property outputs the names of the files that were compared
     * @property witnesses the names of the compared [witnesses][dev.cairn.StateBuilder.witness]
     * @property stepCount the number of steps after which they were compared
     * @property warnings sentences about what could not be compared
     */
    public class Report internal constructor(
        public val items: Set<String>,
        public val outputs: Set<String>,
        public val witnesses: Set<String>,
        public val stepCount: Int,
        public val warnings: List<String>,
    ) {
        override fun toString(): String {
            val kinds =
                listOf(
                    counted(items.size, "item").takeIf { items.isNotEmpty() },
                    counted(outputs.size, "output").takeIf { outputs.isNotEmpty() },
                    counted(witnesses.size, "witness", "witnesses").takeIf { witnesses.isNotEmpty() },
                ).filterNotNull()
            val compared = if (kinds.isEmpty()) "nothing" else inWords(kinds)
            val seen = "compared $compared over ${counted(stepCount, "step")}; $UNSEEN"
            return (listOf(seen) + warnings).joinToString("; ")
        }

        private fun inWords(kinds: List<String>): String =
            if (kinds.size == 1) kinds.single() else "${kinds.dropLast(1).joinToString()} and ${kinds.last()}"
    }
}

/** Processes that a launched one starts would take themselves for ranks of its job. */
internal fun requireAlone(launch: Launch?) =
    require(launch == null) {
        "$launch, and a trial starts the program itself: start the trial without a launcher"
    }

private val OPTIONS = CheckpointOptions { blockSize = 512 }

private const val UNSEEN = "a state that influences none of these is not seen"
