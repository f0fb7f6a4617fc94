package dev.cairn.sion.store

import io.kotest.assertions.withClue
import kotlin.random.Random

/**
 * Runs [block] with a generator whose seed is named when it fails. `-Dcairn.seed=N` repeats the run
 * with that seed.
 */
fun withRandom(block: (Random) -> Unit) {
    val seed = System.getProperty("cairn.seed")?.toLong() ?: Random.nextLong()
    println("seed $seed")
    withClue("repeat with -Dcairn.seed=$seed") { block(Random(seed)) }
}
