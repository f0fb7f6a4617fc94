package dev.cairn.proof.failure

import dev.cairn.Simulation
import dev.cairn.event.ExitCode
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.house.Campaign
import dev.cairn.proof.log.printedBy
import dev.cairn.proof.log.quietly
import dev.cairn.runSimulation
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeIn
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.readLines

/** What each failure of a disk leads to in each phase of a program: the table in docs/reference/exit-codes.md. */
class DiskTableSpec :
    FunSpec({
        quietly()

        test("docs/reference/exit-codes.md has the table") {
            val rows =
                Phase.entries.map { phase ->
                    val codes = DiskWords.entries.map { "${codeOf(phase, it).number}" }
                    "| ${phase.words} | ${codes.joinToString(" | ")} |"
                }
            val page = Path.of("../docs/reference/exit-codes.md").readLines()
            val first = page.indexOf("| the disk fails at | no room | denied, read-only | any other error |")
            page.drop(first + 2).take(rows.size) shouldBe rows
        }

        test("no error of a disk at the start lets a program leave its checkpoints, or ends it without a sentence") {
            for (words in DiskWords.entries) {
                for (number in Campaign.CRASH_POINTS.someOf((0 until operationsOfARestart()).toList())) {
                    val disk = SimulatedDisk().withParent().host("any").also { codeOf(it) {} }
                    val door = TroubledDoor(disk, words, isOnce = true)
                    var seen = 0
                    var hasBegun = false
                    door.strikesAt = { !hasBegun && it.isOfStore && it.kind() != Kind.CLOSE && seen++ == number }
                    var code: ExitCode? = null
                    var first = -1L
                    val said =
                        printedBy {
                            code =
                                codeOf(door) {
                                    if (!hasBegun) first = it
                                    hasBegun = true
                                }
                        }
                    withClue("$words at operation $number, ${door.struck}, $code: $said") {
                        code shouldBeIn listOf(ExitCode.FINISHED, ExitCode.UNREADABLE, ExitCode.UNSAVED)
                        if (code == ExitCode.FINISHED) first shouldNotBe 0L
                        said shouldNotContain "Choose another"
                        said shouldNotContain "\tat "
                    }
                }
            }
        }

        test("an owner's note that cannot be read is named, and no other file") {
            val disk = SimulatedDisk().withParent().host("any").also { codeOf(it) {} }
            val door = TroubledDoor(disk, DiskWords.ERROR, isOnce = false)
            door.strikesAt = { it.path().endsWith("owner.json") && it.kind() == Kind.READ }
            printedBy { codeOf(door, "--fresh") {} shouldBe ExitCode.UNREADABLE } shouldContain
                "table: $STORE/owner.json: Input/output error. Nothing is known to be damaged: start the program again"
        }

        test("the identity of a store on hosts that cannot be made is told in a sentence") {
            val door = TroubledDoor(SimulatedDisk().withParent().host("any"), DiskWords.ERROR, isOnce = false)
            door.strikesAt = { it.path().endsWith("identity.new") && it.kind() == Kind.CREATE }
            printedBy { codeOf(door, *LOCAL) {} shouldBe ExitCode.UNREADABLE } shouldContain
                "table: $STORE/identity.new: Input/output error. Nothing is known"
        }

        test("an error of a host's disk costs a save, and not the run") {
            for (words in DiskWords.entries) {
                val door = TroubledDoor(SimulatedDisk().withParent().host("any"), words, isOnce = true)
                var step = -1L
                door.strikesAt = { step == 2L && it.path().startsWith(SCRATCH) && it.kind() == Kind.LIST }
                withClue(words) {
                    codeOf(door, *LOCAL) { step = it } shouldBe ExitCode.FINISHED
                    door.struck?.kind() shouldBe Kind.LIST
                }
            }
        }
    })

/** Errors as the operating system words them. */
private enum class DiskWords(val text: String) {
    NO_ROOM("No space left on device"),
    DENIED("Read-only file system"),
    ERROR("Input/output error"),
}

private enum class Phase(val words: String) {
    NEW_STORE("the start, and there is no directory of checkpoints yet"),
    STORE("the start, and there are checkpoints"),
    OUTPUT("the start, and an output begins or is cut back"),
    STEP("a step whose `append` has to write"),
    FLUSH("a `flush()` of the program"),
    SAVE("a save"),
    LAST_SAVE("the last save"),
    DRAIN("the drain of a save"),
    LAST_DRAIN("the drain of the last save"),
    LAST_FLUSH("the end, where an output is flushed"),
    CLOSE("the end, where the directory of checkpoints is given back"),
}

private val STORE = PARENT.resolve("table.cairn")
private val FILE = PARENT.resolve("table.nc")
private val SCRATCH = PARENT.resolve("scratch")
private val LOCAL = arrayOf("--wait", "local", "--local", "$SCRATCH", "--drain", "every")
private const val END = 6L
private val FIRST = STORE.resolve("000001")
private val SECOND = STORE.resolve("000002")

/** The last save is tried twice. */
private val AGAIN = STORE.resolve("000003")

private val BlockStore.Operation.isOfStore get() = path().startsWith(STORE)

/** A door that fails where it is told to. */
private class TroubledDoor(target: BlockStore, private val words: DiskWords, private val isOnce: Boolean) :
    ForwardingStore(target) {
    var strikesAt: (BlockStore.Operation) -> Boolean = { false }
    var struck: BlockStore.Operation? = null
        private set

    override fun onOperation(operation: BlockStore.Operation) {
        synchronized(this) {
            if ((isOnce && struck != null) || !strikesAt(operation)) return
            struck = operation
        }
        throw IOException(words.text)
    }
}

private suspend fun codeOf(phase: Phase, words: DiskWords): ExitCode {
    val disk = SimulatedDisk().withParent().host("any")
    val door = TroubledDoor(disk, words, isOnce = phase == Phase.STEP || phase == Phase.SAVE || phase == Phase.DRAIN)
    var step = -1L
    var hasEnded = false
    val arguments = if (phase == Phase.DRAIN || phase == Phase.LAST_DRAIN) LOCAL else emptyArray()
    if (phase == Phase.STORE || phase == Phase.OUTPUT) codeOf(disk) {}

    fun BlockStore.Operation.isDataOf(save: Path) =
        kind() == Kind.WRITE && isOfStore && path().parent == save && "data.sion" in "${path()}"

    fun BlockStore.Operation.isRecord() = kind() == Kind.WRITE && path() == FILE
    door.strikesAt =
        when (phase) {
            Phase.NEW_STORE -> { operation -> operation.kind() == Kind.MAKE_DIRECTORY && operation.path() == STORE }

            Phase.STORE -> { operation -> operation.kind() == Kind.RENAME && operation.isOfStore && step < 0 }

            Phase.OUTPUT -> { operation -> operation.kind() == Kind.RESIZE && operation.path() == FILE }

            Phase.STEP -> { operation -> operation.isRecord() && step >= 0 }

            Phase.FLUSH -> { operation -> operation.isRecord() && step >= 0 }

            Phase.SAVE, Phase.DRAIN -> { operation -> operation.isDataOf(FIRST) }

            Phase.LAST_SAVE, Phase.LAST_DRAIN -> { operation ->
                operation.isDataOf(SECOND) || operation.isDataOf(AGAIN)
            }

            Phase.LAST_FLUSH -> { operation -> operation.isRecord() && hasEnded }

            Phase.CLOSE -> { operation -> operation.kind() == Kind.DELETE && operation.path().endsWith("owner.json") }
        }
    var code: ExitCode? = null
    val said =
        printedBy {
            code =
                codeOf(door, *arguments, memory = if (phase == Phase.STEP) 16 else 1 shl 20, ending = {
                    if (phase != Phase.LAST_FLUSH) return@codeOf
                    state.netcdfs.single().append()
                    hasEnded = true
                }) {
                    step = it
                    if (phase == Phase.FLUSH && it == 1L) state.netcdfs.single().flush()
                }
        }
    withClue("$phase, $words: $said") { (door.struck != null) shouldBe true }
    return checkNotNull(code)
}

/** A program that appends a record in each step, and saves in every third one. */
private suspend fun codeOf(
    files: BlockStore,
    vararg arguments: String,
    memory: Long = 1 shl 20,
    ending: suspend Simulation.() -> Unit = {},
    atStep: suspend Simulation.(Long) -> Unit,
): ExitCode =
    runSimulation("table", arrayOf("--dir", "$STORE", "--ranks", "2", "--every", "3", *arguments), files) {
        val v by doubles(Decomposition.rows(Shape.of(8), size)) { (i) -> i.toDouble() }
        val out by netcdf(FILE) {
            this.memory = memory
            variable(v, "v")
        }
        for (step in steps(until = END)) {
            out.append()
            atStep(step)
        }
        ending()
    }

/** How many operations on the store come before the end of a program that has nothing left to do. */
private suspend fun operationsOfARestart(): Int {
    val disk = SimulatedDisk().withParent().host("any").also { codeOf(it) {} }
    var count = 0
    val door = TroubledDoor(disk, DiskWords.ERROR, isOnce = false)
    door.strikesAt = { false.also { _ -> if (it.isOfStore && it.kind() != Kind.CLOSE) count++ } }
    codeOf(door) {}
    return count
}
