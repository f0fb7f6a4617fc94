package dev.cairn.concentrate

import dev.cairn.multifile.POSITIONED_BYTES
import dev.cairn.multifile.PositionedBytes
import dev.cairn.ranks.MessageFields
import dev.cairn.ranks.Structure
import dev.cairn.ranks.choice
import dev.cairn.ranks.flag
import dev.cairn.ranks.optional
import dev.cairn.ranks.text

// The messages between a client and its dedicated rank, which travel in a communicator of their own. The dedicated rank answers each
// delivery as soon as it has room for its bytes. When all bytes of a save are written it reports how that ended, and until then, once a
// second, that it is still writing. A goodbye has no answer.

internal enum class DeliveryKind {
    /** [Delivery.runs] belong into [Delivery.file]. */
    BYTES,

    /** Nothing more of this save: it is whole, and its file is to be forced. */
    FORCE,

    /** Nothing more of this save: it is whole. */
    END,

    /** Nothing more of this save, which has failed. */
    ABANDON,

    /** The program of the client has ended. */
    GOODBYE,
}

/**
 * What a client sends.
 *
 * @property result of the program that has ended; null if it failed
 */
internal class Delivery(
    val kind: DeliveryKind,
    val file: String = "",
    val runs: List<PositionedBytes> = emptyList(),
    val result: Int? = null,
)

private val RESULT = Structure(0) { u32(it) }

internal val DELIVERY =
    MessageFields("what a client of a dedicated rank sends", Delivery(DeliveryKind.BYTES)) {
        Delivery(
            choice(DeliveryKind.entries, it.kind),
            text(it.file),
            list(it.runs, POSITIONED_BYTES),
            optional(it.result, RESULT),
        )
    }

/**
 * Why a dedicated rank could not write what a client saves.
 *
 * @property isOfDisk whether a later save may succeed
 */
internal class WriteFailure(val sentence: String, val isOfDisk: Boolean)

private val WRITE_FAILURE =
    Structure(WriteFailure("", false)) { WriteFailure(text(it.sentence), flag(it.isOfDisk)) }

/** How far the writing of a save is: still under way, or at its end, with a [failure] or with none. */
internal class Writing(val isUnderWay: Boolean, val failure: WriteFailure? = null)

internal val WRITING =
    MessageFields("how a dedicated rank writes", Writing(isUnderWay = false)) {
        Writing(flag(it.isUnderWay), optional(it.failure, WRITE_FAILURE))
    }
