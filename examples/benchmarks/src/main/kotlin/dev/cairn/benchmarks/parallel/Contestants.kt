package dev.cairn.benchmarks.parallel

import dev.cairn.benchmarks.baseline.readAll
import dev.cairn.benchmarks.baseline.writeAll
import dev.cairn.benchmarks.payload.Payload
import dev.cairn.benchmarks.sections.Scale
import dev.cairn.benchmarks.sections.timed
import dev.cairn.multifile.readTask
import dev.cairn.multifile.writeMultifile
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.collectively
import dev.cairn.sion.FileMapping
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.MultifileSpec
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.nio.file.StandardOpenOption.CREATE_NEW
import java.nio.file.StandardOpenOption.READ
import java.nio.file.StandardOpenOption.WRITE
import kotlin.io.path.deleteExisting

/** The seconds of one run: creating, writing and closing; opening and reading. */
internal data class RunTimes(val writing: Double, val reading: Double)

/** One way in which ranks write and read their bytes. It has no state, so ranks may share it. */
internal interface Contestant {
    val name: String

    /** Collective: runs the whole job once, in an empty directory, and leaves it empty. The times are those of rank 0. */
    suspend fun run(ranks: Communicator, share: Share, directory: Path): RunTimes
}

/** The job, timed. A second reading, which is not timed, checks every byte. */
internal abstract class TimedContestant : Contestant {
    final override suspend fun run(ranks: Communicator, share: Share, directory: Path): RunTimes {
        val writing = timed(ranks) { ranks.write(share, directory) }
        val reading = timed(ranks) { ranks.read(share, directory, Payload::requireNumber) }
        ranks.read(share, directory, Payload::requirePiece)
        ranks.barrier()
        ranks.collectively("delete") { ranks.clear(directory) }
        return RunTimes(writing, reading)
    }

    /** Collective: creates, writes and closes. */
    protected abstract suspend fun Communicator.write(share: Share, directory: Path)

    /** Collective: opens and reads. */
    protected abstract suspend fun Communicator.read(share: Share, directory: Path, require: Payload.(Int) -> Unit)

    protected abstract fun Communicator.clear(directory: Path)
}

/** A task for each rank in one multifile. Files are not forced, as those of the other contestants are not. */
internal class InMultifile(private val job: Job) : TimedContestant() {
    override val name: String get() = "Cairn"

    override suspend fun Communicator.write(share: Share, directory: Path) =
        writeMultifile(specIn(directory), job.bytesPerRank) { chunks -> share.writeAll(chunks::append) }

    override suspend fun Communicator.read(share: Share, directory: Path, require: Payload.(Int) -> Unit) =
        readTask(specIn(directory).path()) { task ->
            task.stream().use { stream -> share.readAll(require, stream::readAll) }
        }

    override fun Communicator.clear(directory: Path) {
        if (rank == 0) repeat(job.fileCount) { specIn(directory).file(it).deleteExisting() }
    }

    private fun specIn(directory: Path) =
        MultifileSpec
            .parallel(directory.resolve("ranks.sion"))
            .withMapping(FileMapping.contiguous(job.fileCount))
            .withBlockSize(Scale.BLOCK_SIZE)
            .withForcePolicy(ForcePolicy.NEVER)
}

/** A file for each rank, through bare channels. */
internal object InOwnFiles : TimedContestant() {
    override val name: String get() = "a file per rank"

    override suspend fun Communicator.write(share: Share, directory: Path) =
        FileChannel.open(fileIn(directory), CREATE_NEW, WRITE).use { share.writeAll(it::writeAll) }

    override suspend fun Communicator.read(share: Share, directory: Path, require: Payload.(Int) -> Unit) =
        FileChannel.open(fileIn(directory), READ).use { share.readAll(require, it::readAll) }

    override fun Communicator.clear(directory: Path) = fileIn(directory).deleteExisting()

    private fun Communicator.fileIn(directory: Path) = directory.resolve("rank.$rank")
}
