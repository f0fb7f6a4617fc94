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
import dev.cairn.store.Manifest
import dev.cairn.store.SaveNames
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * The copy of a host's file in the shared store is the same to the last byte that belongs to anything, or there is none.
 * `-Dcairn.seed=N` repeats a run.
 */
class DrainingSpec :
    FunSpec({
        quietly()

        test("a byte of the meta data that a disk returns wrong once is not copied so") {
            val part = HostPart.make()
            val places =
                Multifile.openFile(part.files, part.path).use { view ->
                    view.files().single().run { (0 until metaOneSize()) + (metaTwoStart() until size()) }
                }
            val chosen = DAMAGED_BYTES.someOf(places)
            val drained = chosen.count { isCopied(part, it) }
            println("DrainingSpec, seed ${Campaign.seed}: $drained of ${chosen.size} drained")
            drained shouldBeGreaterThan 0
        }

        test("a record whose header is damaged is not drained, although a restart does not read it") {
            val part = HostPart.make()
            // The header of the first record begins with its key, which is not zero.
            val bytes = part.files.bytes(part.path)
            val behindMeta = Multifile.openFile(part.files, part.path).use { it.files().single().metaOneSize() }.toInt()
            val key = (behindMeta until bytes.limit()).first { bytes.get(it) != 0.toByte() }
            part.files.open(part.path, Access.READ_WRITE).use {
                it.write(key.toLong(), ByteBuffer.allocate(1).put(0, (bytes.get(key) + 1).toByte()))
            }
            for (drain in listOf<suspend () -> Unit>(
                { part.draining().copyTo(part.target) },
                part.draining()::verify,
            )) {
                shouldThrow<CheckpointException.Damaged> { drain() }.message shouldContain
                    "should be those in the index, but their keys or lengths differ"
            }
            part.files.exists(part.target) shouldBe false
        }
    })

/** Whether the file is drained, then right, if the byte at [place] is wrong once. */
private suspend fun isCopied(part: HostPart, place: Long): Boolean =
    withClue("seed ${Campaign.seed}: byte $place of ${part.path}") {
        val wrongOnce = WrongOnce(part.files, part.path, place)
        val isDrained =
            try {
                part.draining(wrongOnce).copyTo(part.target)
                true
            } catch (_: SionException) {
                false
            } catch (_: CheckpointException.Damaged) {
                false
            }
        wrongOnce.isDue shouldBe false
        part.files.exists(part.target) shouldBe isDrained
        if (isDrained) {
            part.files.bytes(part.target) shouldBe part.files.bytes(part.path)
            part.files.delete(part.target)
        }
        isDrained
    }

/** A host's file of a save that is sealed, and its place in the shared store. */
private class HostPart(
    val files: BlockStore,
    val path: Path,
    private val manifest: Manifest,
    private val checksum: Int,
) {
    val target: Path = DIRECTORY.resolve(SaveNames.directory(manifest.save)).resolve(path.fileName)

    fun draining(files: BlockStore = this.files) =
        Draining(files, path, manifest, checksum, FramePool(1), ForcePolicy.ON_CLOSE) { }

    companion object {
        suspend fun make(): HostPart {
            val disks = HostDisks()
            leaveSealed(disks, seed = 1)
            val files = disks.door("node1")
            val manifest = checkpointStore(files, DIRECTORY).run { read(survey().sealed.single()).manifest }
            val checksum = disks.placesOf().single { it.host == "node1" }.checksum
            return HostPart(files, disks.partOf("node1"), manifest, checksum)
        }
    }
}

/** The first read of the byte at [place] of [file] returns another one. */
private class WrongOnce(private val files: BlockStore, private val file: Path, private val place: Long) :
    BlockStore by files {
    var isDue = true
        private set

    override fun open(file: Path, access: Access): BlockFile =
        files.open(file, access).let { if (file == this.file) Opened(it) else it }

    private inner class Opened(private val target: BlockFile) : BlockFile by target {
        override fun read(position: Long, target: ByteBuffer): Int {
            val start = target.position()
            return this.target.read(position, target).also { spoil(position, target, start) }
        }

        override fun readFully(position: Long, target: ByteBuffer) {
            val start = target.position()
            this.target.readFully(position, target)
            spoil(position, target, start)
        }

        private fun spoil(position: Long, target: ByteBuffer, start: Int) {
            if (!isDue || place !in position until position + (target.position() - start)) return
            isDue = false
            val at = start + (place - position).toInt()
            target.put(at, (target.get(at).toInt() xor 1).toByte())
        }
    }
}
