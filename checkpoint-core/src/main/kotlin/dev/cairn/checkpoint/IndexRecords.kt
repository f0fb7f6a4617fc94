package dev.cairn.checkpoint

import dev.cairn.event.CheckpointException.Damaged
import dev.cairn.event.CheckpointException.Details
import dev.cairn.sion.Content
import dev.cairn.sion.GlobalView
import dev.cairn.sion.RecordView
import dev.cairn.store.Candidate
import java.nio.ByteBuffer
import java.nio.file.Path

/** The records of the index, the last task of [data]. */
internal fun GlobalView.indexRecords(data: Path): RecordView {
    if (info().content() != Content.RECORDS) {
        throw damagedContents(data, "the multifile declares that it holds plain bytes, no records")
    }
    return task(taskCount() - 1).records()
}

/** The packed tables of contents of all ranks, from the index in [view]. */
internal fun readIndex(
    view: GlobalView,
    candidate: Candidate,
): ByteBuffer {
    val manifest = candidate.manifest
    if (view.taskCount() != manifest.indexTask + 1) {
        throw Damaged(
            Details(
                "${candidate.data}: its tasks should be ${manifest.tasks.joinToString()}, as the manifest says, but " +
                    "there are ${view.taskCount()}. It belongs to another save: restore it from another copy.",
                path = candidate.data,
            ),
        )
    }
    val records = view.indexRecords(candidate.data)
    val packed = ByteBuffer.allocate(Math.toIntExact(records.size(TableOfContents.KEY)))
    records.read(TableOfContents.KEY, 0, packed)
    return packed.flip()
}
