package dev.cairn.examples.guide

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.ranks.ranks
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import java.util.TreeMap

// region rebuilt

/** Counts what it sees in a tree, which is no state; lists of its names and of its numbers are saved. */
private class Census {
    val counts = TreeMap<String, Long>()
    private var names = emptyList<String>()
    private var numbers = emptyList<Long>()

    fun declareIn(state: StateBuilder) {
        state.replicated("names", { names }, { names = it })
        state.replicated("numbers", { numbers }, { numbers = it })
        state.beforeSave {
            names = counts.keys.toList()
            numbers = counts.values.toList()
        }
        state.afterRestore {
            counts.clear()
            names.zip(numbers).toMap(counts)
        }
    }
}
// endregion

class RebuiltSpec :
    FunSpec({
        test("a tree is rebuilt on other ranks from the lists that were saved") {
            val store = tempdir().toPath().resolve("census.cairn")
            val seen = mapOf("heron" to 3L, "kite" to 1L)
            ranks(2) {
                val census = Census()
                checkpoints(store) { census.declareIn(this) }.use {
                    census.counts += seen
                    it.save(1)
                }
            }
            ranks(3) {
                val census = Census()
                checkpoints(store) { census.declareIn(this) }.use { it.restore() }
                census.counts shouldBe seen
            }
        }
    })
