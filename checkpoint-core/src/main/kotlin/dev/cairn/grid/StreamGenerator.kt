package dev.cairn.grid

import java.util.random.RandomGenerator

/**
 * The numbers of one [id], one after another: number p is the half p mod 2 of Philox4x32-10 of [id] and p / 2 under the key. The names
 * of its fields are those of its state in checkpoints.
 */
internal class StreamGenerator(seed: Long, private val id: Long) : RandomGenerator {
    private var key = keyOf(seed)
    private var position = 0L

    override fun nextLong(): Long = Philox.half((position and 1).toInt(), id, position++ ushr 1, key)

    /** Begins with the first number for [seed]. */
    fun setSeed(seed: Long) {
        key = keyOf(seed)
        position = 0
    }

    private companion object {
        /** Another key than that of random streams with the same seed, which would give the same numbers. */
        fun keyOf(seed: Long): Long = seed xor -0x61c8864680b583eb
    }
}
