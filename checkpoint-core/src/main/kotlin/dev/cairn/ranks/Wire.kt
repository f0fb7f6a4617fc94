package dev.cairn.ranks

import java.nio.ByteBuffer
import java.util.function.BinaryOperator

/**
 * Messages that belong to one collective call. The algorithms below implement the collectives; they are chosen to be obvious, and to send
 * at most about log(size) messages per rank where each rank needs data of all.
 */
internal interface Wire {
    val rank: Int
    val size: Int

    /** Sends without waiting for the receiver. */
    suspend fun post(target: Int, payload: ByteBuffer)

    suspend fun take(source: Int): ByteBuffer
}

/** Dissemination: after round k each rank has received, directly or not, from the 2^k ranks before it. */
internal suspend fun Wire.meet() {
    var distance = 1
    while (distance < size) {
        post((rank + distance) % size, NOTHING)
        take((rank + size - distance) % size)
        distance *= 2
    }
}

/** A binomial tree below [root]: each rank receives once and passes on to ever nearer ranks. */
internal suspend fun Wire.spread(root: Int, payload: ByteBuffer?): ByteBuffer {
    val place = (rank + size - root) % size
    val parentDistance = if (place == 0) powerOfTwoFrom(size) else place.takeLowestOneBit()
    val known = if (place == 0) requireNotNull(payload) else take((rank + size - parentDistance) % size)
    var distance = parentDistance / 2
    while (distance > 0) {
        if (place + distance < size) post((rank + distance) % size, known)
        distance /= 2
    }
    return known
}

/** All ranks send to [root], so that no payload is sent twice and the total may exceed the size of a buffer. */
internal suspend fun Wire.collect(root: Int, payload: ByteBuffer): List<ByteBuffer> {
    post(root, payload)
    return if (rank == root) List(size) { take(it) } else emptyList()
}

/** [root] sends to all ranks. */
internal suspend fun Wire.deal(root: Int, payloads: List<ByteBuffer>?): ByteBuffer {
    if (rank == root) requireNotNull(payloads).forEachIndexed { target, payload -> post(target, payload) }
    return take(root)
}

/** A ring: each rank passes on the payload that it received last. */
internal suspend fun Wire.circulate(payload: ByteBuffer): List<ByteBuffer> {
    val known = arrayOfNulls<ByteBuffer>(size)
    known[rank] = payload.copied()
    for (step in 1 until size) {
        post((rank + 1) % size, checkNotNull(known[(rank + size - step + 1) % size]))
        known[(rank + size - step) % size] = take((rank + size - 1) % size)
    }
    return known.map { checkNotNull(it) }
}

/** Each rank sends to each other one, beginning with its neighbour, so that no rank receives from all at once. */
internal suspend fun Wire.exchange(payloads: List<ByteBuffer>): List<ByteBuffer> {
    for (step in 0 until size) ((rank + step) % size).let { post(it, payloads[it]) }
    return List(size) { take(it) }
}

/** Up a binomial tree to rank 0, which keeps the order of ranks, and down again. */
internal suspend fun Wire.combine(payload: ByteBuffer, combination: BinaryOperator<ByteBuffer>): ByteBuffer {
    var known = payload.copied()
    var distance = 1
    while (distance < size && rank % (2 * distance) == 0) {
        if (rank + distance < size) known = combination.applyTo(known, take(rank + distance))
        distance *= 2
    }
    if (rank > 0) post(rank - distance, known)
    return spread(root = 0, known)
}

/** Doubling: in round k a rank receives the combination of the 2^k ranks before those that it already has. */
internal suspend fun Wire.scanBelow(payload: ByteBuffer, combination: BinaryOperator<ByteBuffer>): ByteBuffer? {
    var below: ByteBuffer? = null
    var upToHere = payload.copied()
    var distance = 1
    while (distance < size) {
        if (rank + distance < size) post(rank + distance, upToHere)
        if (rank - distance >= 0) {
            val received = take(rank - distance)
            below = below?.let { combination.applyTo(received, it) } ?: received
            upToHere = combination.applyTo(received, upToHere)
        }
        distance *= 2
    }
    return below
}

private fun powerOfTwoFrom(size: Int) = if (size <= 1) 1 else (size - 1).takeHighestOneBit() * 2
