package dev.cairn

import com.sun.management.ThreadMXBean
import dev.cairn.event.CheckpointException.Mismatch
import dev.cairn.proof.log.quietly
import dev.cairn.state.Codecs
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.longs.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.management.ManagementFactory
import java.nio.file.Path

/** A setter that does nothing is found at the restore, and one that is right in an unusual way is not refused. */
class SetterEffectsSpec :
    FunSpec({
        quietly()
        val directory = tempdir().toPath()
        var count = 0

        fun newStore() = directory.resolve("store${count++}.cairn")
        val idle =
            mapOf<String, SoloState.(Kept) -> Unit>(
                "'v'" to { value("v", Codecs.LONG, it::time) {} },
                "'n'" to { value("n", Codecs.listOf(String::class.java), { it.names }) {} },
                "'g'" to { generator("g", "own", Codecs.LONG, it::time) {} },
            )
        for ((what, declare) in idle) {
            test("refused: the setter of $what does nothing") {
                val store = newStore()
                saved(store, declare)
                SoloCheckpoints.open(store) { declare(Kept()) }.use {
                    shouldThrow<Mismatch> { it.restore() }.message shouldBe
                        "the setter of $what has done nothing: after the restore, its function returns what it did " +
                        "before, and not what was saved. Let the setter put what it gets where the function finds " +
                        "it, or do not declare what is not to be restored."
                }
            }
        }

        val idleInTables =
            mapOf<String, SoloState.(Kept) -> Unit>(
                "its column 'x' has other values" to { model -> table("t") { column("x", { model.x }, {}) } },
                "the functions return 3 rows, not 4" to
                    { model ->
                        table("t") {
                            rows({ model.count }, {})
                            column("x", { model.x }, { it.copyInto(model.x) })
                        }
                    },
            )
        for ((difference, declare) in idleInTables) {
            test("refused: a setter of a table does nothing, and $difference") {
                val store = newStore()
                saved(store, declare)
                SoloCheckpoints.open(store) { declare(Kept()) }.use {
                    shouldThrow<Mismatch> { it.restore() }.message shouldContain
                        "the program does not have the rows of the table 't' that were saved: $difference. Let each setter put"
                }
            }
        }

        val right =
            mapOf<String, SoloState.(Kept) -> Unit>(
                "changes what it gets" to { value("v", Codecs.LONG, it::time) { saved -> it.time = saved + 100 } },
                "keeps it until afterRestore" to
                    { model ->
                        var given = 0L
                        value("v", Codecs.LONG, model::time) { given = it }
                        afterRestore { model.time = given }
                    },
                "has a function that fails before the restore, and after it" to
                    { model -> value("v", Codecs.LONG, { checkNotNull(model.late) }) {} },
                "copies into a list that stays" to
                    {
                        value("n", Codecs.listOf(String::class.java), { it.names }) { saved ->
                            it.names.clear()
                            it.names += saved
                        }
                    },
                "has a set of another order" to
                    {
                        val set = linkedSetOf(2L, 1L)
                        value("n", Codecs.setOf(Long::class.javaObjectType), {
                            if (it.time ==
                                0L
                            ) {
                                set
                            } else {
                                setOf(1L, 2L)
                            }
                        }) {}
                    },
                "keeps columns until afterRestore" to
                    { model ->
                        var given = doubleArrayOf()
                        table("t") { column("x", { model.x }, { given = it }) }
                        afterRestore { given.copyInto(model.x) }
                    },
                "has a column whose function fails until afterRestore" to
                    { model ->
                        var given = doubleArrayOf()
                        table("t") { column("x", { checkNotNull(model.late).let { model.x } }, { given = it }) }
                        afterRestore {
                            model.late = 1
                            given.copyInto(model.x)
                        }
                    },
                "copies rows into an array with room" to
                    { model -> table("t") { room(model) } },
            )
        for ((kind, declare) in right) {
            test("taken: a setter that $kind") {
                val store = newStore()
                saved(store, declare)
                SoloCheckpoints.open(store) { declare(Kept()) }.use { it.restore() shouldBe 1 }
            }
        }

        test("rows that are those of the beginning are taken into an array with room") {
            val store = newStore()
            val model = Kept()
            SoloCheckpoints.open(store) { table("t") { room(model) } }.use { it.save(1) }
            SoloCheckpoints.open(store) { table("t") { room(Kept()) } }.use { it.restore() shouldBe 1 }
        }

        test("a restore of a large table makes what it gives to the setter, and no copy of what was there") {
            val store = newStore()
            var large = DoubleArray(LARGE_COUNT) { it * 0.5 }

            suspend fun open() = SoloCheckpoints.open(store) { table("t") { column("x", { large }, { large = it }) } }
            open().use { it.save(1) }
            large = DoubleArray(LARGE_COUNT)
            open().use {
                val allocations = ManagementFactory.getThreadMXBean() as ThreadMXBean
                val before = allocations.currentThreadAllocatedBytes
                it.restore() shouldBe 1
                val byteCount = allocations.currentThreadAllocatedBytes - before
                byteCount shouldBeInRange (8L * LARGE_COUNT)..(12L * LARGE_COUNT)
            }
            large[2] shouldBe 1.0
        }

        test("a setter that does nothing is right where there is nothing to do") {
            val store = newStore()
            repeat(2) {
                SoloCheckpoints.open(store) { value("v", Codecs.LONG, { 1L }) {} }.use {
                    it.restore().also { _ ->
                        it.save(1)
                    }
                }
            }
        }
    })

private fun Columns.room(model: Kept) {
    rows({ model.count }, { model.count = it })
    column("x", { model.x }, { it.copyInto(model.x) })
}

/** A column of 16 MiB. */
private const val LARGE_COUNT = 2 shl 20

private class Kept {
    var time = 0L
    var late: Long? = null
    val names = mutableListOf("a")
    val x = DoubleArray(8) { it * 0.5 }
    var count = 3

    fun change() {
        time = 5
        late = 7
        names += "b"
        x[1] = 9.0
        count = 4
    }
}

private suspend fun saved(store: Path, declare: SoloState.(Kept) -> Unit) {
    val model = Kept().apply { change() }
    SoloCheckpoints.open(store) { declare(model) }.use { it.save(1) }
}
