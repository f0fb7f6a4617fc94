package dev.cairn.benchmarks.baseline

/** Six doubles and a long, as a record, which a program keeps in a list. */
@JvmRecord
internal data class ParticleRecord(
    val id: Long,
    val x: Double,
    val y: Double,
    val z: Double,
    val u: Double,
    val v: Double,
    val w: Double,
) {
    constructor(id: Long, x: Double) : this(id, x, x, x, x, x, x)
}
