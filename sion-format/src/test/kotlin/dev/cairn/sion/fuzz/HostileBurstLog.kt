package dev.cairn.sion.fuzz

import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path

/**
 * The two files of a log of PnetCDF that an input of the fuzzer stands for:
 *
 * ```
 * input := length:u16 meta:byte[length] data:byte*
 * ```
 *
 * A file without bytes is missing.
 */
class HostileBurstLog(meta: ByteArray, data: ByteArray) {
    val byPath: Map<Path, ByteArray> =
        mapOf("meta" to meta, "data" to data)
            .filterValues {
                it.isNotEmpty()
            }.mapKeys { HostileFiles.DIRECTORY.resolve("ckpt.nc_0_0.${it.key}") }

    /** The bytes of both files together. */
    val size: Int = meta.size + data.size

    companion object {
        fun of(input: ByteArray): HostileBurstLog {
            val rest = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN)
            val length = if (rest.remaining() >= 2) rest.getShort().toInt() and 0xffff else 0
            val meta = ByteArray(length.coerceAtMost(rest.remaining())).also { rest.get(it) }
            return HostileBurstLog(meta, ByteArray(rest.remaining()).also { rest.get(it) })
        }

        /** The input that stands for these files. */
        fun encoded(meta: ByteArray, data: ByteArray): ByteArray =
            byteArrayOf(meta.size.toByte(), (meta.size shr 8).toByte()) + meta + data
    }
}
