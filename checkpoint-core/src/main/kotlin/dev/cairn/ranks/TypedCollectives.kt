@file:JvmName("Payloads")

package dev.cairn.ranks

import dev.cairn.event.textOfUtf8
import dev.cairn.event.utf8Of
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN
import java.util.function.BinaryOperator
import java.util.function.DoubleBinaryOperator
import java.util.function.LongBinaryOperator

// Numbers and text over the collectives of buffers. Nothing is boxed, and numbers travel little-endian.

/** Collective: returns on all ranks the payload that [payload] makes on [root]; it is called on no other rank. */
public suspend inline fun Communicator.broadcast(root: Int, payload: () -> ByteBuffer): ByteBuffer =
    broadcast(root, if (rank == root) payload() else null)

/** Collective: returns the number of [root] on all ranks. */
public suspend fun Communicator.broadcastLong(root: Int, value: Long): Long = broadcast(root, bytesOf(value)).getLong(0)

/** Collective: returns on all ranks the text that [text] makes on [root]; it is called on no other rank. */
public suspend inline fun Communicator.broadcastText(root: Int, text: () -> String): String =
    textOf(broadcast(root, if (rank == root) bytesOf(text()) else null))

/** Collective: gives [root] one number of each rank, and an empty array to the others. */
public suspend fun Communicator.gatherLong(root: Int, value: Long): LongArray = firstLongs(gather(root, bytesOf(value)))

/** Collective: returns one number of each rank on all ranks. */
public suspend fun Communicator.allGatherLong(value: Long): LongArray = firstLongs(allGather(bytesOf(value)))

/** Collective: gives [root] one text of each rank, and an empty list to the others. */
public suspend fun Communicator.gatherText(root: Int, text: String): List<String> =
    gather(root, bytesOf(text)).map(::textOf)

/** Collective: returns one text of each rank on all ranks. */
public suspend fun Communicator.allGatherText(text: String): List<String> = allGather(bytesOf(text)).map(::textOf)

/** Collective: combines one number of each rank. */
public suspend fun Communicator.allReduce(value: Long, operator: LongBinaryOperator): Long =
    allReduce(bytesOf(value), longwise(operator)).getLong(0)

/** Collective: combines one number of each rank. */
public suspend fun Communicator.allReduce(value: Double, operator: DoubleBinaryOperator): Double =
    allReduce(bytesOf(value), doublewise(operator)).getDouble(0)

/** Collective: combines arrays of the same size, element by element. */
public suspend fun Communicator.allReduce(values: LongArray, operator: LongBinaryOperator): LongArray =
    longsOf(allReduce(bytesOf(*values), longwise(operator)))

/** Collective: combines arrays of the same size, element by element. */
public suspend fun Communicator.allReduce(values: DoubleArray, operator: DoubleBinaryOperator): DoubleArray =
    doublesOf(allReduce(bytesOf(*values), doublewise(operator)))

/** Collective: combines the numbers of the ranks below this one; rank 0, which has none below it, gets [neutral]. */
public suspend fun Communicator.exScan(value: Long, neutral: Long, operator: LongBinaryOperator): Long =
    exScan(bytesOf(value), longwise(operator))?.getLong(0) ?: neutral

/** Combines payloads number by number. */
public fun longwise(operator: LongBinaryOperator): BinaryOperator<ByteBuffer> =
    BinaryOperator<ByteBuffer> { lower, upper ->
        elementwise(lower, upper) { at, result ->
            result.putLong(operator.applyAsLong(lower.getLong(at), upper.getLong(at)))
        }
    }

/** Combines payloads number by number. */
public fun doublewise(operator: DoubleBinaryOperator): BinaryOperator<ByteBuffer> =
    BinaryOperator<ByteBuffer> { lower, upper ->
        elementwise(lower, upper) { at, result ->
            result.putDouble(operator.applyAsDouble(lower.getDouble(at), upper.getDouble(at)))
        }
    }

/** The payload that holds [values]. */
public fun bytesOf(vararg values: Long): ByteBuffer =
    littleEndian(Math.multiplyExact(values.size, Long.SIZE_BYTES)).also { it.asLongBuffer().put(values) }

/** The payload that holds [values]. */
public fun bytesOf(vararg values: Double): ByteBuffer =
    littleEndian(Math.multiplyExact(values.size, Double.SIZE_BYTES)).also { it.asDoubleBuffer().put(values) }

/**
 * The payload that holds [text] in UTF-8.
 *
 * @throws IllegalArgumentException if [text] has an unpaired surrogate
 */
public fun bytesOf(text: String): ByteBuffer = ByteBuffer.wrap(utf8Of(text))

/** The numbers that [payload] holds. */
public fun longsOf(payload: ByteBuffer): LongArray =
    payload.view().asLongBuffer().let { numbers -> LongArray(numbers.remaining()).also { numbers.get(it) } }

/** The numbers that [payload] holds. */
public fun doublesOf(payload: ByteBuffer): DoubleArray =
    payload.view().asDoubleBuffer().let { numbers -> DoubleArray(numbers.remaining()).also { numbers.get(it) } }

/**
 * The text that [payload] holds in UTF-8.
 *
 * @throws IllegalArgumentException if that is no UTF-8
 */
public fun textOf(payload: ByteBuffer): String = textOfUtf8(payload)

private fun littleEndian(size: Int) = ByteBuffer.allocate(size).order(LITTLE_ENDIAN)

private fun firstLongs(payloads: List<ByteBuffer>) = LongArray(payloads.size) { payloads[it].getLong(0) }

private inline fun elementwise(
    lower: ByteBuffer,
    upper: ByteBuffer,
    combine: (at: Int, result: ByteBuffer) -> Unit,
): ByteBuffer {
    val (lowerSize, upperSize) = lower.limit() to upper.limit()
    require(lowerSize == upperSize) { "payloads of $lowerSize and $upperSize bytes cannot be combined" }
    val result = littleEndian(lower.limit())
    for (at in 0 until lower.limit() step Long.SIZE_BYTES) combine(at, result)
    return result.flip().order(LITTLE_ENDIAN)
}
