package dev.cairn.examples.bench.baseline

/** As Kryo likes it best: a class with a constructor without arguments, and fields that are not hidden. */
internal class Particle(
    @JvmField var id: Long,
    @JvmField var x: Double,
) {
    constructor() : this(0, 0.0)

    @JvmField var y: Double = x

    @JvmField var z: Double = x

    @JvmField var u: Double = x

    @JvmField var v: Double = x

    @JvmField var w: Double = x
}
