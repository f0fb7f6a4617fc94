package dev.cairn.proof.netcdf

import dev.cairn.NetcdfOutput
import dev.cairn.Simulation
import dev.cairn.checkpoints
import dev.cairn.event.ExitCode
import dev.cairn.event.RankFailedException
import dev.cairn.grid.Decomposition
import dev.cairn.grid.Shape
import dev.cairn.proof.log.printedBy
import dev.cairn.proof.log.quietly
import dev.cairn.ranks.ranks
import dev.cairn.runSimulation
import dev.cairn.sion.netcdf.NetcdfReader
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path

/** Operations on a NetCDF file that fail, and what the run does after them. */
class NetcdfTroublesSpec :
    FunSpec({
        quietly()

        test("a record count whose force has failed is forced again before a save counts on it") {
            val disk = SimulatedDisk().withParent()
            var forces = 0
            // The bytes of the record are forced before.
            val door =
                door(disk.host("any")) {
                    if (it.isOn(FIRST, Kind.FORCE) &&
                        ++forces == 2
                    ) {
                        throw IOException("refused")
                    }
                }

            suspend fun run(
                files: BlockStore,
                body: suspend (NetcdfOutput, save: suspend () -> Unit, restored: Long?) -> Unit,
            ) = ranks(1) {
                var out: NetcdfOutput? = null
                checkpoints(Path.of("/run/own.cairn"), files = files) {
                    out = netcdf(FIRST, files) { variable("n") { 1.0 } }.named("out").value
                }.use { body(out!!, { it.save(1) }, it.restore()?.step) }
            }
            run(door) { out, save, _ ->
                out.append()
                shouldThrow<RankFailedException> { out.flush() }.message shouldContain "raise the number of records"
                out.flush()
                save()
            }
            val left = disk.afterCrash(CrashOutcome.losing(disk.unsyncedChanges().toSet())).host("any")
            run(left) { _, _, restored -> restored shouldBe 1 }
        }

        test("a flush that has failed half does not make a save on hosts take the file for another program's") {
            var isFailing = false
            val files = SimulatedDisk().withParent().host("any")
            val door =
                door(files) {
                    if (isFailing && it.isOn(FIRST, Kind.WRITE)) {
                        files.open(FIRST, Access.READ_WRITE).use { file ->
                            file.write(it.position(), ByteBuffer.allocate(3))
                        }
                        throw IOException("refused")
                    }
                }
            val local = arrayOf("--wait", "local", "--local", "/run/local", "--every", "2", "--drain", "none")
            val said =
                printedBy {
                    play(door, *local) { step, (first) ->
                        first.append()
                        isFailing = step == 1L
                        if (isFailing) shouldThrow<RankFailedException> { first.flush() }
                        if (step == 2L) checkNotNull(lastSave).toString() shouldNotContain "another program"
                    }
                }
            said shouldNotContain "another program"
            NetcdfReader.open(files, FIRST).use { it.recordCount() shouldBe 4 }
        }

        test("an output whose last flush fails keeps no other one from its own") {
            val files = SimulatedDisk().withParent().host("any")
            var hasBegun = false
            val door = door(files) { if (hasBegun && it.isOn(FIRST, Kind.WRITE)) throw IOException("refused") }
            printedBy {
                play(door) { _, outputs ->
                    hasBegun = true
                    outputs.forEach { it.append() }
                } shouldBe ExitCode.UNSAVED
            }
            NetcdfReader.open(files, FIRST).use { it.recordCount() shouldBe 0 }
            NetcdfReader.open(files, SECOND).use { it.recordCount() shouldBe 4 }
        }

        test("an error of the disk that has a log costs one save, and is not taken for lost cells") {
            val files = SimulatedDisk().withParent().host("any")
            var isFailing = false
            val door =
                door(files) {
                    if (isFailing && it.kind() == Kind.READ &&
                        it.path().startsWith(Waves.STAGE)
                    ) {
                        throw IOException("refused")
                    }
                }
            val outcomes = mutableListOf<String>()
            play(door, "--every", "1", "--stage", "${Waves.STAGE}") { step, (first) ->
                first.append()
                isFailing = step == 1L
                if (step > 0) outcomes += "$lastSave"
            } shouldBe ExitCode.FINISHED
            outcomes.filter { "refused" in it }.forEach { it shouldNotContain "no later save" }
            NetcdfReader.open(files, FIRST).use { it.recordCount() shouldBe 4 }
        }
    })

private val FIRST = PARENT.resolve("first.nc")
private val SECOND = PARENT.resolve("second.nc")

private fun BlockStore.Operation.isOn(file: Path, kind: Kind) = path() == file && kind() == kind

private fun door(files: BlockStore, before: (BlockStore.Operation) -> Unit) =
    object : ForwardingStore(files) {
        override fun onOperation(operation: BlockStore.Operation) = before(operation)
    }

/** Two outputs, of which [atStep] appends records in four steps. */
private suspend fun play(
    files: BlockStore,
    vararg arguments: String,
    atStep: suspend Simulation.(Long, List<NetcdfOutput>) -> Unit,
): ExitCode =
    runSimulation("two", arrayOf("--dir", "/run/two.cairn", *arguments), files) {
        val v by doubles(Decomposition.rows(Shape.of(8), size)) { (i) -> i.toDouble() }
        val first by netcdf(FIRST) { variable(v, "v") }
        val second by netcdf(SECOND) { variable(v, "v") }
        for (step in steps(until = 4)) atStep(step, listOf(first, second))
    }
