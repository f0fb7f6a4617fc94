package dev.cairn.multifile

import dev.cairn.ranks.Structure
import dev.cairn.ranks.StructureIo
import dev.cairn.ranks.choice
import dev.cairn.ranks.optional
import dev.cairn.sion.FileMapping
import dev.cairn.sion.TaskSlot
import dev.cairn.sion.TaskUsage
import java.nio.ByteOrder.BIG_ENDIAN
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.Optional
import java.util.OptionalInt
import kotlin.jvm.optionals.getOrNull

// The parts of messages about multifiles. All of them are small, since there may be very many ranks.

internal val TASK_NUMBER = Structure(0) { u32(it) }

private val PIECE_SIZE = Structure(0) { u32(it) }

private fun StructureIo.pieceSize(size: OptionalInt): OptionalInt {
    val found = optional(if (size.isPresent) size.asInt else null, PIECE_SIZE)
    return if (found == null) OptionalInt.empty() else OptionalInt.of(found)
}

private val GROUP =
    Structure(TaskSlot.Group(0, 0, 0, 0, OptionalInt.empty())) {
        TaskSlot.Group(
            u32(it.collector()),
            u32(it.taskCount()),
            u64(it.start()),
            u64(it.size()),
            pieceSize(it.mergedPieceSize()),
        )
    }

private val BYTE_ORDERS = listOf(LITTLE_ENDIAN, BIG_ENDIAN)

internal val SLOT =
    Structure(TaskSlot(0, 0, 0, 0, 0, LITTLE_ENDIAN, Optional.empty())) {
        TaskSlot(
            u32(it.task()),
            u32(it.fileNumber()),
            u64(it.start()),
            u64(it.stride()),
            u64(it.chunkSize()),
            choice(BYTE_ORDERS, it.metaDataOrder()),
            Optional.ofNullable(optional(it.group().getOrNull(), GROUP)),
        )
    }

internal val PLACE =
    Structure(FileMapping.TaskPlace(0, 0)) { FileMapping.TaskPlace(u32(it.fileNumber()), u32(it.localRank())) }

internal val USAGE =
    Structure(TaskUsage.EMPTY) { usage ->
        TaskUsage.of(*longs(LongArray(usage.blockCount(), usage::bytesInBlock)))
    }
