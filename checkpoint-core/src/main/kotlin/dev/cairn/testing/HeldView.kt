package dev.cairn.testing

import dev.cairn.heap.Forgotten
import java.nio.file.Path

/**
 * What is seen of a process that is held after [step]: the file of its [heap], and [values] that no heap has, in words.
 *
 * @property rank whose process it is; null if the program is one process
 */
internal class HeldView(val step: Long, val rank: Int?, val heap: Path, private val values: Map<Place, String>) {
    /** Where a value lies; [place] and [path] are those of [Forgotten]. */
    data class Place(val place: String, val path: String)

    /** The [values] that are others in [restarted]. */
    fun differences(restarted: HeldView): List<Forgotten> =
        (values.keys + restarted.values.keys).filter { values[it] != restarted.values[it] }.map {
            val (mine, its) = listOf(this, restarted).map { view -> view.values[it] ?: MISSING }
            Forgotten(it.place, it.path, mine, its, count = 1, Forgotten.Note.NeverDeclared)
        }
}

private const val MISSING = "missing"
