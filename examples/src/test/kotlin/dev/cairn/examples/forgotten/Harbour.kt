package dev.cairn.examples.forgotten

import dev.cairn.SoloCheckpoints
import dev.cairn.SoloState
import dev.cairn.examples.forgotten.Omission.unless
import java.io.FileInputStream
import java.io.RandomAccessFile
import java.nio.ByteBuffer
import java.nio.channels.FileChannel
import java.nio.file.Path
import java.util.ArrayDeque
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText
import kotlin.math.sin

internal class Ship(val number: Int, val came: Long, var cargo: Double)

internal class Invoice(val ship: Int, val amount: Double, val before: Invoice?)

/** Writes the invoices; each one refers to the one before. */
internal class Clerk {
    var last: Invoice? = null
    val sum: Double get() = generateSequence(last) { it.before }.sumOf { it.amount / it.ship }
}

/** A generator of George Marsaglia's. */
internal class Wind(private var word: Long) {
    fun next(): Double {
        word = word xor (word shl 13)
        word = word xor (word ushr 7)
        word = word xor (word shl 17)
        return (word ushr 11) / TWO_TO_53
    }
}

/** What an hour at the quay costs; a ship's kind has the price of the day on which its first ship came. */
internal object Tariffs {
    val agreed = sortedMapOf<Int, Double>()
    var surcharge = 1.0

    fun of(ship: Ship): Double = agreed.getOrPut(ship.number % 7) { 100 * surcharge }
}

private var nextShip = 1
private var billed = 0.0
private val craneHours = LongArray(3)

/** Ships come to a harbour, wait for a berth and the tide, and are unloaded. Takes the number of hours, and a folder. */
internal suspend fun main(args: Array<String>) {
    val until = args[0].toLong()
    val folder = Path.of(args[1])
    writeForecast(folder)
    val clerk = Clerk()
    val wind = Wind(7)
    val delays = LongArray(24)
    var anchorage = ArrayDeque<Ship>()
    var berths = arrayOfNulls<Ship>(craneHours.size)
    var turn = 0
    var dredged = 0.0
    var isClosed = true
    val tides = FileChannel.open(folder.resolve("tides.bin"))
    val arrivals = FileInputStream(folder.resolve("arrivals.txt").toFile())
    val ledger = RandomAccessFile(folder.resolve("ledger.bin").toFile(), "rw")
    SoloCheckpoints
        .open(folder.resolve("harbour.cairn")) {
            declareStatics()
            declareFiles(tides, arrivals, ledger)
            unless("harbour.anchorage") { graph("anchorage", { anchorage }, { anchorage = it }) { allow(OURS) } }
            unless("harbour.berths") { graph("berths", { berths }, { berths = it }) { allow(OURS) } }
            val none = clerk.last
            graph("invoices", { unless("harbour.invoices", clerk.last, none) }, { clerk.last = it }) { allow(OURS) }
            unless("harbour.wind") { generator("wind", { wind }, {}) }
            unless("harbour.delays") { array("delays") { delays } }
            unless("harbour.turn") { value("turn", { turn }, { turn = it }) }
            unless("harbour.dredged") { value("dredged", { dredged }, { dredged = it }) }
            unless("harbour.isClosed") { value("isClosed", { isClosed }, { isClosed = it }) }
        }.use { checkpoints ->
            var step = checkpoints.restore()
            var hour = unless("harbour.hour", (step % 24).toInt(), 0)
            while (checkpoints.saveIfDue(step, until)) {
                val level = ByteBuffer.allocate(Double.SIZE_BYTES).also { tides.read(it) }.getDouble(0) + dredged
                repeat(arrivals.read() - '0'.code) { anchorage.add(Ship(nextShip++, step, 10 + 30 * wind.next())) }
                isClosed = wind.next() > if (isClosed) 0.1 else 0.95
                if (!isClosed && level > 0 && berths[turn] == null && anchorage.isNotEmpty()) {
                    val ship = anchorage.remove()
                    delays[hour] += step - ship.came
                    berths[turn] = ship
                }
                turn = (turn + 1) % berths.size
                for ((berth, ship) in berths.withIndex()) {
                    if (ship == null) continue
                    craneHours[berth]++
                    ship.cargo -= 2.0 / (1 + 0.001 * craneHours[berth])
                    if (ship.cargo <= 0) {
                        clerk.last = Invoice(ship.number, Tariffs.of(ship), clerk.last).also { billed += it.amount }
                        berths[berth] = null
                    }
                }
                ledger.writeDouble(billed + level)
                Tariffs.surcharge *= 1.01
                if (hour in 8..16 && !isClosed) dredged += 0.002
                hour = (hour + 1) % 24
                step++
            }
        }
    listOf(tides, arrivals, ledger).forEach { it.close() }
    val rest = "${anchorage.map { it.number }} ${berths.map { it?.cargo }} $dredged $isClosed ${craneHours.asList()}"
    folder.resolve("harbour.txt").writeText("${delays.asList()} $billed ${clerk.sum} $rest ${Tariffs.surcharge}")
}

private fun SoloState.declareStatics() {
    unless("harbour.nextShip") { value("nextShip", { nextShip }, { nextShip = it }) }
    unless("harbour.billed") { value("billed", { billed }, { billed = it }) }
    val craneHoursAtFirst = craneHours.copyOf()
    value(
        "craneHours",
        { unless("harbour.craneHours", craneHours, craneHoursAtFirst) },
        { it.copyInto(craneHours) },
    )
    unless("harbour.agreed") { value("agreed", { Tariffs.agreed.toMap() }, { Tariffs.agreed.putAll(it) }) }
    unless("harbour.surcharge") { value("surcharge", { Tariffs.surcharge }, { Tariffs.surcharge = it }) }
}

private fun SoloState.declareFiles(tides: FileChannel, arrivals: FileInputStream, ledger: RandomAccessFile) {
    unless("harbour.tides") { value("tides", { tides.position() }, { tides.position(it) }) }
    unless("harbour.arrivals") {
        value("arrivals", { arrivals.channel.position() }, { arrivals.channel.position(it) })
    }
    unless("harbour.ledger") { value("ledger", { ledger.filePointer }, { ledger.seek(it) }) }
}

private fun writeForecast(folder: Path) {
    val tides = ByteBuffer.allocate(HOURS * Double.SIZE_BYTES)
    for (hour in 0 until HOURS) tides.putDouble(sin(0.507 * hour))
    folder.resolve("tides.bin").writeBytes(tides.array())
    folder.resolve("arrivals.txt").writeText((0 until HOURS).joinToString("") { "${it * it % 7 % 3 / 2}" })
}

private const val TWO_TO_53 = 9_007_199_254_740_992.0
private const val HOURS = 1_000
private const val OURS = "dev.cairn.examples.forgotten"
