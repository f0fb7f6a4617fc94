package dev.cairn.sion.fuzz

import dev.cairn.sion.pnetcdf.BurstFixture
import java.nio.file.Path
import kotlin.io.path.writeBytes

/** What the fuzzer starts from: the small logs that PnetCDF wrote, and logs of which only the header is there. */
object BurstLogSeeds {
    fun unpack(directory: Path) =
        all().forEachIndexed { number, bytes -> directory.resolve("seed-$number").writeBytes(bytes) }

    private fun all(): List<ByteArray> =
        BurstFixture.small.flatMap { fixture ->
            fixture.logs.flatMap { log ->
                val meta = fixture.bytesOf(log.meta)
                val data = fixture.bytesOf(log.meta.dropLast(4) + "data")
                val withoutPuts = meta.copyOf(log.headerSize)
                // Before the first put, the size of the header is where the count will be.
                val fresh =
                    withoutPuts.copyOf().also {
                        it[if (it[19] == 1.toByte()) 63 else 56] =
                            log.headerSize.toByte()
                    }
                listOf(meta, withoutPuts, fresh).map { HostileBurstLog.encoded(it, data) } +
                    HostileBurstLog.encoded(meta, ByteArray(0)) + HostileBurstLog.encoded(ByteArray(0), data)
            }
        }
}
