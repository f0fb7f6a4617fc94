package dev.cairn.state

import dev.cairn.CheckpointException
import dev.cairn.cells.CellDigest
import dev.cairn.cells.DigestFormula
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.nio.file.Path

/**
 * A file to which the program appends. Its content is not saved, but how long it is and the digest of its last bytes, so that
 * it can be cut back. Rank 0 looks after it. The record is, little-endian:
 *
 * ```
 * u64 length   u64 first, u64 second: the digest of the last 65536 bytes before that, or all if there are less, as a value
 * ```
 */
internal class OutputItem(
    override val name: String,
    override val key: Int,
    override val formerNames: List<String>,
    private val file: Path,
    private val files: BlockStore,
) : StateItem {
    override val schema get() = Schema(KIND, "mark", emptyList())

    override fun capture(rank: Int): Capture =
        if (rank == 0) BytesCapture(key, mark().encode(), firstIndex = 0, isStored = true) else NoCapture()

    /** What lies in the file now, made durable: a checkpoint must not promise more than a power loss leaves. */
    private fun mark(): Mark {
        if (!files.exists(file)) return Mark(0, CellDigest.NONE)
        val mark =
            files.open(file, Access.READ_WRITE).use {
                it.force()
                mark(it, it.size(), DigestFormula.NEWEST)
            }
        files.forceDirectory(file.parent ?: Path.of(""))
        return mark
    }

    private fun mark(
        open: BlockFile,
        length: Long,
        formula: DigestFormula,
    ): Mark {
        val tail = ByteBuffer.allocate(minOf(length, TAIL_SIZE).toInt())
        open.readFully(length - tail.capacity(), tail)
        return Mark(length, formula.bytes(0).apply { add(tail.flip()) }.finish())
    }

    /** Refuses what cannot be cut back to what [bytes] say, digested by [formula]; changes nothing. */
    fun check(
        bytes: ByteBuffer,
        formula: DigestFormula,
    ) {
        val saved = Mark.decode(bytes)
        if (saved.length == 0L) return
        if (!files.exists(file)) throw differs(saved, "is gone")
        files.open(file, Access.READ).use {
            if (it.size() < saved.length) throw differs(saved, "has only ${it.size()}")
            if (mark(it, saved.length, formula) != saved) throw differs(saved, "has other bytes before that length")
        }
    }

    /** Cuts the file back to what [bytes] say, which has been checked. */
    fun cut(bytes: ByteBuffer) {
        if (!files.exists(file)) return
        files.open(file, Access.READ_WRITE).use {
            it.resize(Mark.decode(bytes).length)
            it.force()
        }
    }

    private fun differs(
        saved: Mark,
        found: String,
    ) = CheckpointException.OutputDiffers(name, file, saved.length, found)

    internal data class Mark(
        val length: Long,
        val tail: CellDigest,
    ) {
        fun encode(): ByteArray =
            ByteBuffer
                .allocate(SIZE)
                .order(LITTLE_ENDIAN)
                .putLong(length)
                .putLong(tail.first)
                .putLong(tail.second)
                .array()

        companion object {
            const val SIZE = 3 * Long.SIZE_BYTES

            fun decode(bytes: ByteBuffer): Mark {
                require(bytes.remaining() == SIZE) { "the mark of an output has $SIZE bytes, not ${bytes.remaining()}" }
                val source = bytes.slice().order(LITTLE_ENDIAN)
                return Mark(source.getLong(), CellDigest(source.getLong(), source.getLong()))
            }
        }
    }

    companion object {
        const val KIND = "output"

        /** Enough to tell files apart, and read in no time. */
        private const val TAIL_SIZE = 65536L
    }
}
