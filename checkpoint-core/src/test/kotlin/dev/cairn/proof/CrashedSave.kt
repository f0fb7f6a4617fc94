package dev.cairn.proof

import dev.cairn.comm.RankPlan
import dev.cairn.comm.RunFailedException
import dev.cairn.comm.Schedule
import dev.cairn.comm.ranks
import dev.cairn.sion.Multifile
import dev.cairn.sion.SionException
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.SimulatedDisk
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
) {
    private val files = disk.host("node0")

    val label =
        when (promises.newest) {
            0 -> "none"
            promises.committed -> "promised"
            else -> "new, not yet promised"
        }

    /** In words, or null when all are kept. The ranks that restore take their turns as [seed] says. */
    suspend fun brokenPromise(
        readers: Int,
        seed: Long,
    ): String? {
        if (promises.newest < promises.committed) return "a commit was taken back"
        if (files.checkpoints().survey().unfinished.any(
                ::isFalselyClosed,
            )
        ) {
            return "an unfinished multifile looks closed"
        }
        return try {
            val restored = ranks(RankPlan(readers, Schedule.Deterministic(seed), { "node0" })) { restoreSmall(files) }
            "another checkpoint than predicted was restored".takeIf { restored.any { it?.number != newest() } }
        } catch (failed: RunFailedException) {
            if (failed.cause is WrongState) "wrong data were restored" else "nothing could be restored"
        }
    }

    private fun newest(): Int? = promises.newest.takeIf { it > 0 }

    /** Whether the last bytes of META1, which close a multifile, are there, and something else is not. */
    private fun isFalselyClosed(save: Entry.Unfinished): Boolean {
        val data = save.path.resolve(SaveNames.DATA)
        if (!files.exists(data)) return false
        return try {
            Multifile.open(files, data).close()
            false
        } catch (_: SionException.NeverClosed) {
            false
        } catch (_: SionException.MissingFile) {
            false
        } catch (_: SionException.NotAMultifile) {
            false
        } catch (_: SionException) {
            hasTail(data)
        }
    }

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
        const val FIXED_SIZE = 1076L
        const val TASK_COUNT_AT = 24L
    }
}
