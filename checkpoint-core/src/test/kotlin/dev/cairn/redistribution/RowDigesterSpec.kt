package dev.cairn.redistribution

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.nio.ByteOrder.LITTLE_ENDIAN

@Tags(JDK_DEPENDENT)
class RowDigesterSpec :
    FunSpec({
        fun DigestFormula.digest(ids: LongArray, kinds: ByteArray) =
            rows(listOf(Cells.of(ids), Cells.of(kinds)), ids.size).toString()

        test("the digests that a few lines of Python compute come out") {
            val ids = LongArray(1000) { it.toLong() * it }
            val kinds = ByteArray(1000) { (it % 7).toByte() }
            with(DigestFormula.MIXES) {
                digest(longArrayOf(), byteArrayOf()) shouldBe "0".repeat(32)
                digest(longArrayOf(0), byteArrayOf(0)) shouldBe "b382a305f4414f5e94c3405a095afe9f"
                digest(ids, kinds) shouldBe "f86ede1d868f82674bc8cbe08ca84d7b"
            }
            with(DigestFormula.PRODUCTS) {
                digest(longArrayOf(), byteArrayOf()) shouldBe "0".repeat(32)
                digest(longArrayOf(0), byteArrayOf(0)) shouldBe "e28b1ab93337f44e8b1206b86227b0c1"
                digest(ids, kinds) shouldBe "2e43c001200d31aeadb6ee589f4ef3a4"
            }
        }

        for (formula in DigestFormula.entries) {
            test("rows in any order and any parts have the digest of $formula") {
                withRandom { random ->
                    repeat(30) {
                        val count = random.nextInt(1500)
                        val ids = LongArray(count) { random.nextLong() }
                        val kinds = ByteArray(count) { random.nextInt().toByte() }
                        val rows = ids.zip(kinds.toList()) { id, kind -> listOf(id, kind.toLong() and 0xff) }
                        val order = rows.indices.shuffled(random)
                        formula.digest(
                            LongArray(count) { ids[order[it]] },
                            ByteArray(count) { kinds[order[it]] },
                        ) shouldBe
                            DigestsByFormula.of(formula).ofRows(rows)
                    }
                }
            }

            test("a value that changes its row or its column changes the digest by $formula") {
                val ids = longArrayOf(1, 2, 3)
                val digest = formula.digest(ids, byteArrayOf(1, 2, 3))
                formula.digest(ids, byteArrayOf(2, 1, 3)) shouldNotBe digest
                formula.rows(listOf(Cells.of(byteArrayOf(1, 2, 4)), Cells.of(ids)), 3).toString() shouldNotBe
                    formula.digest(ids, byteArrayOf(1, 2, 4))
                formula.digest(longArrayOf(1, 2, 3, 3), byteArrayOf(1, 2, 3, 3)) shouldNotBe digest
            }
        }

        test("a witness sees the bytes of every column from front to back") {
            val ids = LongArray(1300) { it * 3L }
            val kinds = ByteArray(1300) { it.toByte() }
            val seen = List(2) { ByteArrayOutputStream() }
            DigestFormula.PRODUCTS.rows(listOf(Cells.of(ids), Cells.of(kinds)), ids.size) { column, bytes ->
                while (bytes.hasRemaining()) seen[column].write(bytes.get().toInt())
            }
            val expected = ByteBuffer.allocate(1300 * 8).order(LITTLE_ENDIAN).also { it.asLongBuffer().put(ids) }
            seen[0].toByteArray() shouldBe expected.array()
            seen[1].toByteArray() shouldBe kinds
        }
    })
