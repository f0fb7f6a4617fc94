package dev.cairn.concentrate

import dev.cairn.base.Structure
import dev.cairn.base.choice
import dev.cairn.base.flag
import dev.cairn.base.optional
import dev.cairn.base.text
import dev.cairn.comm.Communicator
import dev.cairn.comm.MessageFields
import dev.cairn.comm.NOTHING
import java.nio.ByteBuffer

// The messages between a client and its dedicated rank. The dedicated rank answers each delivery as soon as it has room for its bytes,
// and, when all bytes of a save are written, tells how that ended; until then it shows from time to time that it lives. A farewell gets no
// answer.

/** The tags of these messages, which travel in a communicator of their own. */
internal object DedicatedTags {
    const val DELIVERY = 0
    const val ANSWER = 1

    /** What the dedicated process was asked for from outside, which its client has to do. */
    const val REQUEST = 2

    init {
        check(REQUEST <= Communicator.LARGEST_TAG)
    }
}

internal enum class DeliveryKind {
    /** [Delivery.bytes] belong to [Delivery.extents] of [Delivery.file]. */
    BYTES,

    /** Nothing more of this save: it is whole, and its file is to be forced. */
    FORCE,

    /** Nothing more of this save: it is whole. */
    END,

    /** Nothing more of this save, which has failed. */
    ABANDON,

    /** The program of the client has ended. */
    FAREWELL,
}

/**
 * What a client sends.
 *
 * @property extents positions in [file], each followed by its length
 * @property bytes those of all extents, one behind the other
 * @property result of the program that says farewell; null if it failed
 */
internal class Delivery(
    val kind: DeliveryKind,
    val file: String = "",
    val extents: LongArray = LongArray(0),
    val bytes: ByteBuffer = NOTHING,
    val result: Int? = null,
)

private val RESULT = Structure(0) { u32(it) }

internal val DELIVERY =
    MessageFields("what a client of a dedicated rank sends", Delivery(DeliveryKind.BYTES)) {
        Delivery(
            choice(DeliveryKind.entries, it.kind),
            text(it.file),
            longs(it.extents),
            bytes(it.bytes),
            optional(it.result, RESULT),
        )
    }

/**
 * Why a dedicated rank could not write what a client saves.
 *
 * @property isOfDisk whether a later save may succeed
 */
internal class WriteFailure(
    val sentence: String,
    val isOfDisk: Boolean,
)

private val WRITE_FAILURE =
    Structure(WriteFailure("", false)) { WriteFailure(text(it.sentence), flag(it.isOfDisk)) }

/** How far the writing of a save is: still under way, or at its end, with a [failure] or with none. */
internal class Writing(
    val isUnderWay: Boolean,
    val failure: WriteFailure? = null,
)

internal val WRITING =
    MessageFields("how a dedicated rank writes", Writing(isUnderWay = false)) {
        Writing(flag(it.isUnderWay), optional(it.failure, WRITE_FAILURE))
    }
