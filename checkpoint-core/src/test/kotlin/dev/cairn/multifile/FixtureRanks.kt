package dev.cairn.multifile

import dev.cairn.comm.Communicator
import dev.cairn.comm.everyRank
import dev.cairn.sion.Fixture
import dev.cairn.sion.FixtureTaskWriter
import dev.cairn.sion.Fixtures
import dev.cairn.sion.Op
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.file.Path

/** The multifiles that the C library wrote under MPI, and that this library can write. */
val parallelFixtures: List<Fixture> get() = Fixtures.all.filter { it.mode == "mpi" && it.notWritten == null }

/** Writes a fixture on every rank of a program, wherever they are: its name, and the directory to write it into. */
internal suspend fun main(args: Array<String>) {
    val fixture = parallelFixtures.single { it.name == args[0] }
    everyRank(fixture.tasks.size) { writeFixture(fixture, Path.of(args[1])) }
}

/** Collective: what rank n writes is what task n of [fixture] wrote. */
suspend fun Communicator.writeFixture(
    fixture: Fixture,
    directory: Path,
    store: BlockStore = FileBlockStore(),
) {
    val task = fixture.tasks[rank]
    val chunkSize = fixture.requests[rank].chunkSize()
    val ops = fixture.ops.filter { (of, _) -> of == rank }.flatMap { (_, ops) -> ops }
    val colours = fixture.colours
    val spec =
        if (fixture.fileCount < 1 && colours != null) {
            fixture.spec(directory).withMapping(filePerGroup(colours[rank]))
        } else {
            fixture.spec(directory)
        }
    if (fixture.isKeyValue) {
        writeRecords(spec, chunkSize, store) { records ->
            FixtureTaskWriter(task, { error("not plain") }, { records }).runAll(ops)
        }
    } else {
        writeMultifile(spec, chunkSize, store) { chunks ->
            FixtureTaskWriter(task, { chunks }, { error("no records") }).runAll(ops)
        }
    }
}

private fun FixtureTaskWriter.runAll(ops: List<Op>) = ops.forEach(::run)
