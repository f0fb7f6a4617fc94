package dev.cairn.cells

import dev.cairn.sion.store.withRandom
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.math.BigInteger

private val WORD = BigInteger.TWO.pow(64)

private fun hex(text: String) = BigInteger(text, 16)

/** The formula of [RowDigester]'s documentation in numbers of any size: the stored bits of each row's columns. */
private fun rowDigestByFormula(rows: List<List<Long>>): String {
    fun BigInteger.step(
        shift: Int,
        factor: String,
    ) = (xor(shiftRight(shift)) * hex(factor)).mod(WORD)

    fun BigInteger.mixA() = step(30, "bf58476d1ce4e5b9").step(27, "94d049bb133111eb").let { it.xor(it.shiftRight(31)) }

    fun BigInteger.mixB() = step(33, "ff51afd7ed558ccd").step(33, "c4ceb9fe1a85ec53").let { it.xor(it.shiftRight(33)) }

    fun sum(
        constant: String,
        mix: BigInteger.() -> BigInteger,
    ) = rows.fold(BigInteger.ZERO) { sum, row ->
        val hash =
            row.foldIndexed(BigInteger.ZERO) { column, hash, bits ->
                (hash + BigInteger.valueOf(bits) + (column + 1).toBigInteger() * hex(constant)).mod(WORD).mix()
            }
        (sum + hash).mod(WORD)
    }

    fun BigInteger.text() = toString(16).padStart(16, '0')
    return sum("9e3779b97f4a7c15") { mixA() }.text() + sum("d1b54a32d192ed03") { mixB() }.text()
}

class RowDigesterSpec :
    FunSpec({
        fun digest(
            ids: LongArray,
            kinds: ByteArray,
        ) = RowDigester.digest(listOf(Cells.of(ids), Cells.of(kinds)), ids.size).toString()

        test("the digests that a few lines of Python compute come out") {
            digest(longArrayOf(), byteArrayOf()) shouldBe "0".repeat(32)
            digest(longArrayOf(0), byteArrayOf(0)) shouldBe "b382a305f4414f5e94c3405a095afe9f"
            digest(LongArray(1000) { it.toLong() * it }, ByteArray(1000) { (it % 7).toByte() }) shouldBe
                "f86ede1d868f82674bc8cbe08ca84d7b"
        }

        test("rows in any order and any parts have the formula's digest") {
            withRandom { random ->
                repeat(30) {
                    val count = random.nextInt(1500)
                    val ids = LongArray(count) { random.nextLong() }
                    val kinds = ByteArray(count) { random.nextInt().toByte() }
                    val rows = ids.zip(kinds.toList()) { id, kind -> listOf(id, kind.toLong() and 0xff) }
                    val order = rows.indices.shuffled(random)
                    digest(LongArray(count) { ids[order[it]] }, ByteArray(count) { kinds[order[it]] }) shouldBe
                        rowDigestByFormula(rows)
                }
            }
        }

        test("a value that changes its row or its column changes the digest") {
            val ids = longArrayOf(1, 2, 3)
            val digest = digest(ids, byteArrayOf(1, 2, 3))
            digest(ids, byteArrayOf(2, 1, 3)) shouldNotBe digest
            RowDigester.digest(listOf(Cells.of(byteArrayOf(1, 2, 4)), Cells.of(ids)), 3).toString() shouldNotBe
                digest(ids, byteArrayOf(1, 2, 4))
            digest(longArrayOf(1, 2, 3, 3), byteArrayOf(1, 2, 3, 3)) shouldNotBe digest
        }
    })
