package dev.cairn.multifile

import dev.cairn.ranks.Communicator
import dev.cairn.ranks.everyRank
import dev.cairn.sion.fixture.Fixture
import dev.cairn.sion.fixture.FixtureTaskWriter
import dev.cairn.sion.fixture.Fixtures
import dev.cairn.sion.fixture.Op
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.file.Path

/** The multifiles that the C library wrote under MPI, and that this library can write. */
val parallelFixtures: List<Fixture> get() = Fixtures.all.filter { it.mode == "mpi" && it.notWritten == null }

/**
 * Writes fixtures on every rank of a program, wherever they are: a directory, and the names of those to write into folders
 * of it, which all have as many tasks.
 */
internal suspend fun main(args: Array<String>) {
    val fixtures = args.drop(1).map { name -> parallelFixtures.single { it.name == name } }
    everyRank(fixtures.first().tasks.size) {
        for (fixture in fixtures) writeFixture(fixture, Path.of(args[0], fixture.name))
    }
}

/** Collective: what rank n writes is what task n of [fixture] wrote. */
suspend fun Communicator.writeFixture(fixture: Fixture, directory: Path, store: BlockStore = FileBlockStore()) {
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
