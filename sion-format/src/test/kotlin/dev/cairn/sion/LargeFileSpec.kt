package dev.cairn.sion

import dev.cairn.house.Campaign
import dev.cairn.house.Need
import dev.cairn.house.needs
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import kotlin.io.path.deleteExisting

/** Nothing counts in 32 bits: positions, streams and single records go beyond 2 GiB. */
class LargeFileSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val piece = 16 shl 20
        val pieces = 129

        /** Piece [number] of a stream of more than 2 GiB; its first eight bytes tell which it is. */
        fun piece(number: Int): ByteBuffer = ByteBuffer.allocate(piece).putLong(0, number.toLong() * 7_919)

        test(
            "a task's stream, its chunk and a record can be larger than 2 GiB",
        ).config(enabledOrReasonIf = needs { Need.CAMPAIGN.given(Campaign.VAST_PAYLOADS.isOn) }) {
            val path = directory.resolve("large.sion")
            val length = piece.toLong() * pieces
            val spec =
                MultifileSpec
                    .serial(
                        path,
                    ).withBlockSize(4096)
                    .withContent(Content.RECORDS)
                    .withForcePolicy(ForcePolicy.NEVER)
            MultifileWriter.create(spec, TaskRequest.ofSizes(length)).use { writer ->
                writer.records(0).begin(1, length)
                repeat(pieces) { writer.records(0).append(piece(it)) }
                writer.records(0).put(2, ByteBuffer.wrap(byteArrayOf(42)))
                writer.finish()
            }
            Multifile.openTask(path, 0).use { task ->
                task.bytesInBlock(0) shouldBe task.chunkSize()
                val records = task.records()
                records.entries().map { it.length() } shouldBe listOf(length, 1)
                val start = ByteBuffer.allocate(8)
                repeat(pieces) { number ->
                    records.read(1, number.toLong() * piece, start.clear()) shouldBe 8
                    start.getLong(0) shouldBe number.toLong() * 7_919
                }
                val last = ByteBuffer.allocate(1)
                records.read(2, 0, last) shouldBe 1
                last.get(0) shouldBe 42
            }
            path.deleteExisting()
        }

        test("blocks far apart are found again") {
            val path = directory.resolve("sparse.sion")
            val chunk = 5L shl 30
            val spec = MultifileSpec.serial(path).withBlockSize(4096).withForcePolicy(ForcePolicy.NEVER)
            MultifileWriter.create(spec, TaskRequest.ofSizes(chunk, chunk)).use { writer ->
                val task = writer.task(1)
                repeat(3) {
                    task.ensureFreeSpace(chunk)
                    task.write(ByteBuffer.wrap(byteArrayOf(it.toByte(), 1)))
                }
                writer.finish()
            }
            Multifile.open(path).use { view ->
                view.task(1).size() shouldBe 6
                view
                    .task(1)
                    .stream()
                    .use { it.readAllBytes() }
                    .toList() shouldBe listOf<Byte>(0, 1, 1, 1, 2, 1)
            }
        }
    })
