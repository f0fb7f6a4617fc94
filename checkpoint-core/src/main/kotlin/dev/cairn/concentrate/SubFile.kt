package dev.cairn.concentrate

import java.nio.ByteBuffer

/** A sub-file, open on its concentrator. */
internal interface SubFile {
    /** Writes all of [bytes] from [position] on. */
    fun write(
        position: Long,
        bytes: ByteBuffer,
    )

    /** Fills [target] with the bytes from [position] on; throws if there are fewer. */
    fun read(
        position: Long,
        target: ByteBuffer,
    )
}
