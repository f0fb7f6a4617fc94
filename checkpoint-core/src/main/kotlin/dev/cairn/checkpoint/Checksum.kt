package dev.cairn.checkpoint

import java.nio.ByteBuffer
import java.util.zip.CRC32C

/** The CRC32C of the remaining bytes. The position of [bytes] does not change. */
internal fun checksum(bytes: ByteBuffer): Int = CRC32C().apply { update(bytes.duplicate()) }.value.toInt()
