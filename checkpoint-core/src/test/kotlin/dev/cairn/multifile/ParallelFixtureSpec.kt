package dev.cairn.multifile

import dev.cairn.comm.Communicator
import dev.cairn.comm.RankPlan
import dev.cairn.comm.Schedule
import dev.cairn.comm.ranks
import dev.cairn.sion.Fixture
import dev.cairn.sion.FixtureTaskWriter
import dev.cairn.sion.Fixtures
import dev.cairn.sion.Op
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.inspectors.forAll
import io.kotest.matchers.ints.shouldBeGreaterThanOrEqual
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.readBytes

/** What the C library wrote under MPI, written by simulated ranks. */
class ParallelFixtureSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val fixtures = Fixtures.all.filter { it.mode == "mpi" && it.notWritten == null }

        for (fixture in fixtures) {
            for (schedule in listOf(Schedule.Fast(), Schedule.Deterministic())) {
                test("${fixture.name} is written by ranks as the C library wrote it, $schedule") {
                    val target = directory.resolve("${fixture.name}-${schedule.javaClass.simpleName}").createDirectory()
                    ranks(RankPlan(fixture.tasks.size, schedule)) { write(fixture, target) }
                    fixture.physicalFiles.entries.forAll { (name, original) ->
                        target.resolve(name).readBytes() shouldBe original.readBytes()
                    }
                }
            }
        }

        test("the fixtures of all parallel layouts that there are have been written") {
            println("written by ranks: ${fixtures.joinToString { it.name }}")
            fixtures.size shouldBeGreaterThanOrEqual PARALLEL_COUNT
        }
    })

/** p01 to p06, and p11 with records. */
private const val PARALLEL_COUNT = 7

private suspend fun Communicator.write(
    fixture: Fixture,
    directory: Path,
) {
    val task = fixture.tasks[rank]
    val ops = fixture.ops.filter { (of, _) -> of == rank }.flatMap { (_, ops) -> ops }
    val colours = fixture.colours
    val spec =
        if (fixture.fileCount < 1 && colours != null) {
            fixture.spec(directory).withMapping(filePerGroup(colours[rank]))
        } else {
            fixture.spec(directory)
        }
    if (fixture.isKeyValue) {
        writeRecords(spec, task.chunkSize) { records ->
            FixtureTaskWriter(task, { error("not plain") }, { records }).runAll(ops)
        }
    } else {
        writeMultifile(spec, task.chunkSize) { chunks ->
            FixtureTaskWriter(task, { chunks }, { error("no records") }).runAll(ops)
        }
    }
}

private fun FixtureTaskWriter.runAll(ops: List<Op>) = ops.forEach(::run)
