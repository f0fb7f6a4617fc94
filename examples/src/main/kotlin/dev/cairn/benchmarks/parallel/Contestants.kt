package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.baseline.OwnFile
import dev.cairn.benchmarks.baseline.readAll
import dev.cairn.benchmarks.baseline.writeAll
import dev.cairn.multifile.readTask
import dev.cairn.multifile.writeMultifile
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.collectively
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE_NEW
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.WRITE
import kotlin.io.path.deleteExisting

/** One way in which ranks write and read their bytes. It has no state, so ranks may share it. */
internal interface Contestant {
    val name: String

    /** Collective: runs the whole job once, in an empty directory, and leaves it empty. The times are those of rank 0. */
    suspend fun run(ranks: Communicator, share: Share, directory: Path): PhaseTimes
}

/** The job with its phases timed. A second reading, which is not timed, checks every byte. */
internal abstract class TimedContestant : Contestant {
    final override suspend fun run(ranks: Communicator, share: Share, directory: Path): PhaseTimes {
        val watch = Stopwatch(ranks)
        watch.start()
        ranks.write(share, directory, watch)
        watch.start()
        ranks.read(share, directory, Proof.NUMBERS, watch)
        ranks.read(share, directory, Proof.BYTES, Stopwatch(ranks))
        ranks.collectively("delete") { ranks.clear(directory) }
        return watch.times()
    }

    /** Collective: creates, writes and closes. */
    protected abstract suspend fun Communicator.write(share: Share, directory: Path, watch: Stopwatch)

    /** Collective: opens and reads. */
    protected abstract suspend fun Communicator.read(share: Share, directory: Path, proof: Proof, watch: Stopwatch)

    protected abstract fun Communicator.clear(directory: Path)
}

/** A task for each rank in one multifile. */
internal class InMultifile(private val job: Job) : TimedContestant() {
    override val name: String get() = "Cairn"

    override suspend fun Communicator.write(share: Share, directory: Path, watch: Stopwatch) {
        writeMultifile(specIn(directory), job.chunkSize) { chunks ->
            watch.lap(Phase.CREATE)
            share.writeAll(chunks::append)
            watch.lap(Phase.WRITE)
        }
        watch.lap(Phase.CLOSE)
    }

    override suspend fun Communicator.read(share: Share, directory: Path, proof: Proof, watch: Stopwatch) {
        readTask(specIn(directory).path()) { task ->
            watch.lap(Phase.OPEN)
            task.stream().use { stream -> share.readAll(proof, stream::readAll) }
        }
        watch.lap(Phase.READ)
    }

    override fun Communicator.clear(directory: Path) {
        if (rank == 0) repeat(job.fileCount) { specIn(directory).file(it).deleteExisting() }
    }

    private fun specIn(directory: Path) = job.spec(directory.resolve("ranks.sion"))
}

/** A file for each rank, through bare channels. */
internal class InOwnFiles(private val staysOpen: Boolean) : TimedContestant() {
    override val name: String get() = "a file per rank"

    override suspend fun Communicator.write(share: Share, directory: Path, watch: Stopwatch) {
        val file = OwnFile(fileIn(directory), staysOpen)
        file.open(CREATE_NEW, WRITE)
        watch.lap(Phase.CREATE)
        file.use(WRITE) { channel -> share.writeAll(channel::writeAll) }
        watch.lap(Phase.WRITE)
        file.close()
        watch.lap(Phase.CLOSE)
    }

    override suspend fun Communicator.read(share: Share, directory: Path, proof: Proof, watch: Stopwatch) {
        val file = OwnFile(fileIn(directory), staysOpen)
        file.open(READ)
        watch.lap(Phase.OPEN)
        file.use(READ) { channel -> share.readAll(proof, channel::readAll) }
        file.close()
        watch.lap(Phase.READ)
    }

    override fun Communicator.clear(directory: Path) = fileIn(directory).deleteExisting()

    private fun Communicator.fileIn(directory: Path) = directory.resolve("rank.$rank")
}
