package dev.cairn.proof.crash

import dev.cairn.proof.state.Known
import dev.cairn.proof.state.WrongState
import dev.cairn.proof.state.restoreKnown
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.RunFailedException
import dev.cairn.ranks.ranks
import dev.cairn.sion.Multifile
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.Entry
import dev.cairn.store.Promises
import dev.cairn.store.SaveNames
import dev.cairn.store.checkpoints
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path

/** What a crash of parallel programs has left on [disk], and what was promised of it. */
internal class CrashedSave(
    disk: SimulatedDisk,
    private val promises: Promises,
    private val known: Known = Known.SMALL,
) {
    private val files = disk.host("node0")

    val label =
        when (promises.newest) {
            0 -> "none"
            promises.committed -> "promised"
            else -> "new, not yet promised"
        }

    /** In words, or null when all are kept. The ranks that restore take their turns as [seed] says. */
    suspend fun brokenPromise(readers: Int, seed: Long): String? {
        if (promises.newest < promises.committed) return "a commit was taken back"
        files
            .checkpoints()
            .survey()
            .unfinished
            .firstNotNullOfOrNull(::falseClosure)
            ?.let { return it }
        return try {
            val restored =
                ranks(RankPlan(readers, Schedule.Deterministic(seed), { "node0" })) { restoreKnown(known, files) }
            "another checkpoint than predicted was restored".takeIf { restored.any { it?.number != newest() } }
        } catch (failed: RunFailedException) {
            if (failed.cause is WrongState) "wrong data were restored" else "nothing could be restored"
        }
    }

    private fun newest(): Int? = promises.newest.takeIf { it > 0 }

    /** The last bytes of META1, which close a multifile, are there, and something else is not. */
    private fun falseClosure(save: Entry.Unfinished): String? {
        val data = save.path.resolve(SaveNames.DATA)
        if (!files.exists(data)) return null
        return try {
            Multifile.open(files, data).close()
            null
        } catch (_: SionException.NeverClosed) {
            null
        } catch (_: SionException.MissingFile) {
            null
        } catch (_: SionException.NotAMultifile) {
            null
        } catch (other: SionException) {
            if (hasTail(data) &&
                !other.isOfTornTail()
            ) {
                "an unfinished multifile looks closed, ${other.javaClass.simpleName}"
            } else {
                null
            }
        }
    }

    /** Half of the last bytes do not close the file: a reader that opens it finds that they do not fit. */
    private fun SionException.isOfTornTail() = this is SionException.Corrupt && field() in TAIL_FIELDS

    private fun hasTail(data: Path): Boolean =
        files.open(data, Access.READ).use { file ->
            val taskCount = ByteBuffer.allocate(Int.SIZE_BYTES).order(LITTLE_ENDIAN)
            if (file.size() < FIXED_SIZE) return false
            file.readFully(TASK_COUNT_AT, taskCount)
            val tail = ByteBuffer.allocate(Long.SIZE_BYTES)
            file.read(FIXED_SIZE + 16L * taskCount.getInt(0) + Int.SIZE_BYTES, tail)
            tail.getLong(0) != 0L
        }

    private companion object {
        val TAIL_FIELDS = setOf("maxchunks", "start_of_varheader")
        const val FIXED_SIZE = 1076L
        const val TASK_COUNT_AT = 24L
    }
}
