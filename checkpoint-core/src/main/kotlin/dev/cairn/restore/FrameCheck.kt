package dev.cairn.restore

import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.StoredState
import dev.cairn.checkpoint.TableOfContents.Companion.FRAME_SIZE
import dev.cairn.checkpoint.TableOfContents.Entry
import dev.cairn.comm.Communicator
import dev.cairn.comm.collectively

/** Collective: reads each stored frame on one of the ranks, and refuses the checkpoint if one is damaged. */
internal suspend fun Communicator.checkFrames(
    stored: StoredState,
    pool: FramePool,
) = collectively("check the frames") {
    for (writer in rank until stored.contents.tables.size step size) {
        for (entry in stored.contents.tables[writer].entries) stored.checkFrames(writer, entry, pool)
    }
}

private suspend fun StoredState.checkFrames(
    writer: Int,
    entry: Entry,
    pool: FramePool,
) {
    for (index in entry.checksums.indices) {
        pool.borrow(position(writer, entry.key, index)) { frame ->
            val size = minOf(FRAME_SIZE.toLong(), entry.size - index.toLong() * FRAME_SIZE)
            readFrame(writer, entry.key, index, frame.limit(size.toInt()))
        }
    }
}
