package dev.cairn.proof.damage

import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.Content
import dev.cairn.sion.FileMapping
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileLayout
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockStore
import java.nio.ByteBuffer
import java.nio.file.Path

/** A rewriting of the data of a checkpoint: the number of files, their alignment, and whether they are forced. */
internal data class Rewriting(
    val fileCount: Int,
    val blockSize: Int,
    val forcePolicy: ForcePolicy = ForcePolicy.ON_CLOSE,
)

/** Gives the multifile [data] other physical files, in which each task has the same bytes as before. */
internal fun BlockStore.rewrite(data: Path, rewriting: Rewriting) {
    val streams =
        Multifile.open(this, data).use { view ->
            List(view.taskCount()) { view.task(it).stream().readAllBytes() }
        }
    val spec =
        MultifileSpec
            .parallel(data)
            .withContent(Content.RECORDS)
            .withMapping(FileMapping.contiguous(rewriting.fileCount))
            .withBlockSize(rewriting.blockSize)
            .withForcePolicy(rewriting.forcePolicy)
    val requests = TaskRequest.ofSizes(*LongArray(streams.size) { streams[it].size.toLong() })
    val layout = MultifileLayout.plan(spec.resolve(this), requests)
    Multifile.create(this, layout)
    val usages =
        streams.mapIndexed { task, bytes ->
            val slot = layout.slot(task)
            open(layout.file(slot.fileNumber()), Access.READ_WRITE).use { file ->
                ChunkWriter.of(file, slot).apply { write(ByteBuffer.wrap(bytes)) }.usage()
            }
        }
    Multifile.close(this, layout, usages)
}
