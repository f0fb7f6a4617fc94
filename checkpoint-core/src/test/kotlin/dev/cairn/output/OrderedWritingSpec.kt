package dev.cairn.output

import dev.cairn.concentrate.JoinedRequest
import dev.cairn.concentrate.Pattern
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.ByteBuffer

class OrderedWritingSpec :
    FunSpec({
        test("bytes of puts and of gaps are written, and others stay, whatever the window") {
            withRandom { random ->
                repeat(200) {
                    // Byte by byte: 'p' is put, 'o' belongs to others, 'g' is in a gap, '.' is left alone.
                    val wanted =
                        List(random.nextInt(1, 400)) { "po.g".random(random) }.flatMap { c ->
                            List(random.nextInt(1, 9)) { c }
                        }
                    val file = PARENT.resolve("file")
                    val store = SimulatedDisk().withParent().host("any")
                    store.create(file).use { opened ->
                        opened.write(0, ByteBuffer.wrap(ByteArray(wanted.size) { '.'.code.toByte() }))
                        val whole = listOf(wanted.runsOf("pog", 'g')).map(::JoinedRequest)
                        val others = wanted.runsOf("o", 'o')
                        val left = wanted.runsOf(".", '.')
                        OrderedWriting(whole, others + left, wanted.runsOf("p", 'p').shuffled(random))
                            .write(opened, random.nextInt(1, 2 * wanted.size))
                        val found = ByteBuffer.allocate(wanted.size).also { opened.readFully(0, it) }.array()
                        String(found, Charsets.ISO_8859_1) shouldBe wanted.joinToString("").replace('o', '.')
                    }
                }
            }
        }
    })

/** The longest runs of bytes that are one of [kinds], each a request of [content]. */
private fun List<Char>.runsOf(kinds: String, content: Char) =
    indices
        .filter { this[it] in kinds }
        .fold(mutableListOf<LongArray>()) { runs, at ->
            val last = runs.lastOrNull()
            if (last != null && last[1] == at.toLong()) last[1]++ else runs += longArrayOf(at.toLong(), at + 1L)
            runs
        }.map { (from, to) -> Pattern(from, to, ByteBuffer.wrap(byteArrayOf(content.code.toByte()))) }
