package dev.cairn.redistribution

import java.math.BigInteger

/** The formulas of docs/reference/checkpoint.md in numbers of any size, as slow and as plain as can be. */
internal interface DigestsByFormula {
    /** Of pairs of global number and stored bits. */
    fun ofCells(cells: List<Pair<Long, Long>>): String

    /** Of the stored bits of each row's columns. */
    fun ofRows(rows: List<List<Long>>): String

    /** Of a value whose bytes begin at [firstNumber]. */
    fun ofBytes(firstNumber: Long, bytes: ByteArray): String

    companion object {
        fun of(formula: DigestFormula): DigestsByFormula =
            when (formula) {
                DigestFormula.MIXES -> MixesByFormula
                DigestFormula.PRODUCTS -> ProductsByFormula
            }
    }
}

private val WORD = BigInteger.TWO.pow(64)

private fun hex(text: String) = BigInteger(text, 16)

/** A step of a mix. */
private class Step(private val shift: Int, factor: String) {
    private val factor = hex(factor)

    fun of(z: BigInteger): BigInteger = (z.xor(z.shiftRight(shift)) * factor).mod(WORD)
}

/** One of the two sums: how numbers are mixed for it, and what lies between them. */
private enum class Lane(constant: String, private val first: Step, private val second: Step, private val last: Int) {
    FIRST("9e3779b97f4a7c15", Step(30, "bf58476d1ce4e5b9"), Step(27, "94d049bb133111eb"), 31),
    SECOND("d1b54a32d192ed03", Step(33, "ff51afd7ed558ccd"), Step(33, "c4ceb9fe1a85ec53"), 33),
    ;

    private val constant = hex(constant)

    /** Mixes a number times the constant of this lane, plus [bits]. */
    fun mixed(number: BigInteger, bits: BigInteger): BigInteger =
        second.of(first.of((number * constant + bits).mod(WORD))).let { it.xor(it.shiftRight(last)) }
}

private fun sums(contribution: (Lane) -> List<BigInteger>): String =
    Lane.entries.joinToString("") { lane ->
        contribution(lane)
            .fold(BigInteger.ZERO) { sum, each -> (sum + each).mod(WORD) }
            .toString(16)
            .padStart(16, '0')
    }

private fun unsigned(bits: Long): BigInteger = BigInteger.valueOf(bits).mod(WORD)

private object MixesByFormula : DigestsByFormula {
    override fun ofCells(cells: List<Pair<Long, Long>>) =
        sums { lane -> cells.map { (number, bits) -> lane.mixed(number.toBigInteger().inc(), unsigned(bits)) } }

    override fun ofRows(rows: List<List<Long>>) =
        sums { lane ->
            rows.map { row ->
                row.foldIndexed(BigInteger.ZERO) { column, hash, bits ->
                    lane.mixed((column + 1).toBigInteger(), hash + unsigned(bits))
                }
            }
        }

    override fun ofBytes(firstNumber: Long, bytes: ByteArray) =
        ofCells(bytes.mapIndexed { place, byte -> firstNumber + place to (byte.toLong() and 0xff) })
}

private object ProductsByFormula : DigestsByFormula {
    private val half = BigInteger.TWO.pow(32)

    private fun product(lane: Lane, number: BigInteger, bits: Long): BigInteger {
        val sum = (unsigned(bits) + lane.mixed(number.inc(), BigInteger.ZERO)).mod(WORD)
        return sum.mod(half) * sum.divide(half)
    }

    fun weight(lane: Lane, place: BigInteger) = lane.mixed(place.inc().negate(), BigInteger.ZERO).setBit(0)

    override fun ofCells(cells: List<Pair<Long, Long>>) =
        sums { lane ->
            cells.map { (number, bits) ->
                val (line, place) = number.toBigInteger().divideAndRemainder(512.toBigInteger())
                weight(lane, place) * product(lane, line, bits)
            }
        }

    override fun ofRows(rows: List<List<Long>>) =
        sums { lane ->
            rows.map { row ->
                lane.mixed(
                    BigInteger.ZERO,
                    row
                        .mapIndexed {
                            column,
                            bits,
                            ->
                            product(lane, column.toBigInteger(), bits)
                        }.reduce(BigInteger::plus),
                )
            }
        }

    override fun ofBytes(firstNumber: Long, bytes: ByteArray): String {
        val words =
            bytes.toList().chunked(8) { word ->
                word.foldRight(0L) { byte, rest -> rest shl 8 or (byte.toLong() and 0xff) }
            }
        return ofCells((listOf(bytes.size.toLong()) + words).mapIndexed { place, word -> firstNumber + place to word })
    }
}

/** The weights of the places of a line, for each sum. */
internal object ProductConstants {
    val weights: List<List<BigInteger>> =
        Lane.entries.map { lane -> List(512) { ProductsByFormula.weight(lane, it.toBigInteger()) } }
}
