package dev.cairn.item

import dev.cairn.StateBuilder
import dev.cairn.checkpoints
import dev.cairn.ranks.runRanks
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.IdentityHashMap
import kotlin.random.Random

private enum class Tone { LOW, MID, HIGH }

@JvmInline
private value class Meters(val value: Double)

/** Random bits in fields of all types, with zeros that have a sign and with numbers that are none. */
private open class Bits(random: Random) {
    private val flag = random.nextBoolean()
    protected var low: Byte = random.nextInt().toByte()
    var short: Short = random.nextInt().toShort()
    var letter: Char = random.nextInt().toChar()
    val number: Int = random.nextInt()
    var large: Long = random.nextLong()
    var real = Float.fromBits(if (number % 7 == 0) random.nextInt() or NO_FLOAT else random.nextInt())
    var wide = if (number % 5 == 0) -0.0 else Double.fromBits(if (number % 7 == 0) large or NO_DOUBLE else large)
    val high = Meters(random.nextDouble())
    var tone = Tone.entries.random(random)
    var name = "n" + "ä".repeat(random.nextInt(7))

    fun all(): List<Any?> =
        listOf(flag, low, short, letter.code, number, large) +
            listOf(real.toRawBits(), wide.toRawBits(), high.value.toRawBits(), tone, name)
}

private const val NO_FLOAT = 0x7f800001
private const val NO_DOUBLE = 0x7ff0000000000001

private class Knot(random: Random) : Bits(random) {
    var next: Knot? = null
    var any: Bits? = null
    val ties = ArrayList<Bits?>()
    val set = LinkedHashSet<Knot>()
    var array: Array<Knot?>? = null
}

/** Rows of all types in any number, which are read in windows. */
class RowBitsSpec :
    FunSpec({
        val path = Path.of("bits")

        fun knots(count: Int, random: Random): List<Bits> {
            val rows = List(count) { if (random.nextInt(3) == 0) Bits(random) else Knot(random) }
            val knots = rows.filterIsInstance<Knot>()
            for (knot in knots) {
                knot.next = knots.random(random).takeIf { random.nextBoolean() }
                knot.any = rows.random(random)
                repeat(random.nextInt(4)) { knot.ties += rows.random(random).takeIf { random.nextInt(5) > 0 } }
                repeat(random.nextInt(3)) { knot.set += knots.random(random) }
                if (random.nextBoolean()) knot.array = Array(random.nextInt(3)) { knots.random(random) }
            }
            return rows
        }

        /** All bits, and to which rows each of them leads, by their numbers. */
        fun described(rows: List<Bits>): List<Any?> {
            val numbers = IdentityHashMap<Any?, Int>().also { all -> rows.forEachIndexed { at, one -> all[one] = at } }
            return rows.map { one ->
                val leads = (one as? Knot)?.run { listOf(listOf(next, any), ties, set, array?.asList()) }
                one.all() + listOf(leads?.map { held -> held?.map { numbers[it] } })
            }
        }

        test("all bits come back, and all rows lead to the same ones, at each edge of a window") {
            withRandom { random ->
                for (count in listOf(0, 1, 511, 512, 513, 1023, 1024, 1025, 3000)) {
                    val rows = knots(count, random)
                    val files = SimulatedDisk()
                    var back = emptyList<Bits>()

                    fun StateBuilder.all(get: () -> List<Bits>) =
                        rows("rows", get, { back = it }) {
                            kind<Bits>("bits")
                            kind<Knot>("knot")
                            text("name", 16)
                        }
                    runRanks(1) { checkpoints(path, files = files.host(host)) { all { rows } }.use { it.save(1) } }
                    runRanks(1) { checkpoints(path, files = files.host(host)) { all { back } }.use { it.restore() } }
                    described(back) shouldBe described(rows)
                }
            }
        }

        test("all bits come to the owners on other ranks") {
            withRandom { random ->
                val files = SimulatedDisk()
                val rows = List(3000) { Bits(random) }
                runRanks(3) {
                    val own = rows.filterIndexed { at, _ -> at % 3 == rank }
                    checkpoints(path, files = files.host("host0")) {
                        rows("rows", { own }, {}) {
                            text("name", 16)
                            owner { row, count -> Math.floorMod(row.number, count) }
                        }
                    }.use { it.save(1) }
                }
                runRanks(2) {
                    var back = emptyList<Bits>()
                    checkpoints(path, files = files.host("host0")) {
                        rows("rows", { back }, { back = it }) {
                            text("name", 16)
                            owner { row, count -> Math.floorMod(row.number, count) }
                        }
                    }.use { it.restore() }
                    val own = rows.filter { Math.floorMod(it.number, 2) == rank }
                    back.map { "${it.all()}" }.sorted() shouldBe own.map { "${it.all()}" }.sorted()
                }
            }
        }
    })
