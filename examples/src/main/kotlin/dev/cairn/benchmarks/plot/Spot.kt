package dev.cairn.benchmarks.plot

/** A place in a picture. */
internal data class Spot(val x: Double, val y: Double) {
    fun right(pixels: Number) = copy(x = x + pixels.toDouble())

    fun down(pixels: Number) = copy(y = y + pixels.toDouble())
}
