package dev.cairn.proof.local

import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.checkpointStore
import dev.cairn.event.CheckpointException
import dev.cairn.house.Campaign
import dev.cairn.house.Campaign.DAMAGED_BYTES
import dev.cairn.node.Draining
import dev.cairn.proof.log.quietly
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Multifile
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.DIRECTORY
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer
import java.nio.file.Path

/** The copy of a host's file in the shared store is the same to the last byte that belongs to anything, or there is none. */
class DrainingSpec :
    FunSpec({
        quietly()

        test("a byte of the meta data that a disk returns wrong once is not copied so") {
            val disks = HostDisks()
            leaveSealed(disks, seed = 1)
            val files = disks.door("node1")
            val part = disks.partOf("node1")
            val manifest = checkpointStore(files, DIRECTORY).run { read(survey().sealed.single()).manifest }
            val checksum = disks.placesOf().single { it.host == "node1" }.checksum
            val target = DIRECTORY.resolve("000002").resolve(part.fileName)
            val bytes = files.bytes(part)
            val places =
                Multifile.openFile(files, part).use { view ->
                    view.files().single().run { (0 until metaOneSize()) + (metaTwoStart() until size()) }
                }
            var drainedCount = 0
            val chosen = DAMAGED_BYTES.someOf(places)
            for (place in chosen) {
                withClue("seed ${Campaign.seed}: byte $place of $part") {
                    val wrongOnce = WrongOnce(files, part, place)
                    val draining =
                        Draining(wrongOnce, part, manifest, checksum, FramePool(1), ForcePolicy.ON_CLOSE) { }
                    try {
                        draining.copyTo(target)
                        drainedCount++
                        files.bytes(target) shouldBe bytes
                        files.delete(target)
                    } catch (_: SionException) {
                        // Refused by the format.
                    } catch (_: CheckpointException.Damaged) {
                        // Refused by the checksum.
                    }
                    wrongOnce.isDue shouldBe false
                    files.exists(target) shouldBe false
                }
            }
            println("DrainingSpec, seed ${Campaign.seed}: $drainedCount of ${chosen.size} drained")
            drainedCount shouldBeGreaterThan 0
        }
    })

/** The first read of the byte at [place] of [file] returns another one. */
private class WrongOnce(
    private val files: BlockStore,
    private val file: Path,
    private val place: Long,
) : BlockStore by files {
    var isDue = true
        private set

    override fun open(
        file: Path,
        access: Access,
    ): BlockFile = files.open(file, access).let { if (file == this.file) Opened(it) else it }

    private inner class Opened(
        private val target: BlockFile,
    ) : BlockFile by target {
        override fun read(
            position: Long,
            target: ByteBuffer,
        ): Int {
            val start = target.position()
            return this.target.read(position, target).also { spoil(position, target, start) }
        }

        override fun readFully(
            position: Long,
            target: ByteBuffer,
        ) {
            val start = target.position()
            this.target.readFully(position, target)
            spoil(position, target, start)
        }

        private fun spoil(
            position: Long,
            target: ByteBuffer,
            start: Int,
        ) {
            if (!isDue || place !in position until position + (target.position() - start)) return
            isDue = false
            val at = start + (place - position).toInt()
            target.put(at, (target.get(at).toInt() xor 1).toByte())
        }
    }
}
