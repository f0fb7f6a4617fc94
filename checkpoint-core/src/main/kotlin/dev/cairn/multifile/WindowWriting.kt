package dev.cairn.multifile

import dev.cairn.sion.ChunkWriter
import dev.cairn.sion.TaskGroup
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import dev.cairn.sion.store.PositionedOutput
import java.nio.ByteBuffer

/** Each task's bytes go to its own chunk; its collector writes those of all its ranks, window by window. */
internal class WindowWriting(
    private val ranks: GroupRanks,
    private val group: TaskGroup,
    private val slot: TaskSlot,
    private val file: PositionedOutput,
) : GroupWriting {
    private val held = HeldWrites(file)
    private var someAreDirect = false
    override val chunks: ChunkWriter = ChunkWriter.of(held, slot)

    override suspend fun end(outcome: Result<TaskUsage>): Result<TaskUsage> {
        val state = if (outcome.isSuccess) longArrayOf(held.end, if (held.isDirect) 1 else 0) else null
        val written = ranks.collect(state, ::windowStarts, ::fragments, ::write)
        return outcome.mapCatching { usage -> usage.also { written.getOrThrow() } }
    }

    private fun windowStarts(states: List<LongArray>): List<Long> {
        someAreDirect = states.any { (_, direct) -> direct > 0 }
        val blockCount = group.blockCount(states.maxOf { (end) -> end }, slot.stride())
        return (0 until blockCount).flatMap { group.windowStarts(it, slot.stride()) }
    }

    private fun fragments(windowStart: Long): ByteBuffer =
        held.within(group.window(windowStart, slot.stride())).toPayload()

    /** Where some rank writes for itself, what nobody has kept may be its bytes. */
    private fun write(parts: List<ByteBuffer>) {
        val fragments = parts.flatMap { it.toFragments() }
        for (fragment in if (someAreDirect) fragments else fragments.filled()) {
            file.write(
                fragment.position,
                fragment.bytes,
            )
        }
    }
}
