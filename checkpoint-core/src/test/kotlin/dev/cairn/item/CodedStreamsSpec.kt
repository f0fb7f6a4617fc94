package dev.cairn.item

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointException
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ranks
import dev.cairn.simulate
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.state.Codecs
import dev.cairn.state.PerRankRule
import dev.cairn.state.StreamCodec
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.InvalidClassException
import java.io.ObjectInputFilter
import java.nio.charset.CharacterCodingException
import java.nio.file.Path
import java.util.zip.DeflaterOutputStream
import java.util.zip.InflaterInputStream

private val NUMBERS: ObjectInputFilter = ObjectInputFilter.Config.createFilter("java.lang.*;java.util.*;!*")

/** Every way of writing that Cairn offers, for the same values. */
private val CODECS: Map<String, StreamCodec<List<Long>>> =
    mapOf(
        "data" to
            Codecs.dataStream(
                { out, list: List<Long> ->
                    out.writeInt(list.size)
                    list.forEach(out::writeLong)
                },
                { source -> List(source.readInt()) { source.readLong() } },
            ),
        "objects" to
            Codecs.objectStream(
                NUMBERS,
                { out, list: List<Long> -> out.writeObject(ArrayList(list)) },
                { source -> (source.readObject() as List<*>).map { it as Long } },
            ),
        "text" to
            Codecs.textStream(
                { out, list: List<Long> -> list.forEach { out.appendLine("$it") } },
                { source -> source.useLines { lines -> lines.map(String::toLong).toList() } },
            ),
        "own bytes" to
            Codecs.stream(
                {
                    target,
                    list: List<Long>,
                    ->
                    DeflaterOutputStream(target).use { it.write("$list".encodeToByteArray()) }
                },
                { source ->
                    val text = InflaterInputStream(source).readAllBytes().decodeToString()
                    text
                        .removeSurrounding("[", "]")
                        .split(", ")
                        .filter { it.isNotEmpty() }
                        .map(String::toLong)
                },
            ),
    )

private fun numbersOf(rank: Int, count: Int) = List(count) { (rank.toLong() shl 50) + it * 31L }

/** The values that [rankCount] ranks have after a restore with [codec]. */
private suspend fun restored(files: BlockStore, codec: StreamCodec<List<Long>>, rankCount: Int): List<List<Long>> =
    ranks(rankCount) {
        var list = listOf(-1L)
        open(files, codec, { list }, { list = it }, PerRankRule.Merge { it.flatten() }).use {
            it.restore()?.step shouldBe
                1
        }
        list
    }

private suspend fun <T> Communicator.open(
    files: BlockStore,
    codec: StreamCodec<T>,
    get: () -> T,
    set: (T) -> Unit,
    rule: PerRankRule<T> = PerRankRule.Refuse(),
): Checkpoints = checkpoints(Path.of("coded"), files = files) { stream("log", codec, get, set, rule) }

private fun <T> StreamCodec<T>.bytesOf(value: T): ByteArray =
    ByteArrayOutputStream()
        .also {
            write(it, value)
        }.toByteArray()

private fun <T> StreamCodec<T>.valueOf(bytes: ByteArray): T = read(ByteArrayInputStream(bytes))

class CodedStreamsSpec :
    FunSpec({
        for ((way, codec) in CODECS) {
            test("a value that is written as $way comes back, and those of other ranks are merged in their order") {
                for (count in listOf(0, 1, 1000, 200_000)) {
                    withClue("$count numbers") {
                        val files = SimulatedDisk().host("node0")
                        ranks(3) {
                            open(
                                files,
                                codec,
                                { numbersOf(rank, count) },
                                { error("nothing is restored") },
                            ).use { it.save(1) }
                        }
                        val saved = List(3) { numbersOf(it, count) }
                        // Kotest would look for differences in all of 600,000 numbers.
                        (restored(files, codec, 3) == saved) shouldBe true
                        (restored(files, codec, 2) == listOf(saved[0], saved[1] + saved[2])) shouldBe true
                        (restored(files, codec, 1).single() == saved.flatten()) shouldBe true
                    }
                }
            }
        }

        test("a simulation has the value as a property, which a restart replaces") {
            val files = SimulatedDisk().host("node0")

            suspend fun run(until: Long) =
                ranks(2) {
                    var end = emptyList<Long>()
                    simulate("x", arrayOf("--dir", "coded", "--every", "1"), files = files) {
                        var log by stream(numbersOf(rank, 1), CODECS.getValue("text"))
                        for (step in steps(until)) log = log + step
                        end = log
                    }
                    end
                }
            run(3) shouldBe List(2) { numbersOf(it, 1) + listOf(0L, 1L, 2L) }
            run(5) shouldBe List(2) { numbersOf(it, 1) + listOf(0L, 1L, 2L, 3L, 4L) }
        }

        test("a stream that was saved by functions of the program is restored by a codec, and the other way round") {
            val files = SimulatedDisk().host("node0")
            val codec = CODECS.getValue("data")
            var plain = listOf(1L, 2L)

            suspend fun Communicator.openPlain() =
                checkpoints(Path.of("coded"), files = files) {
                    stream("log", { codec.write(it, plain) }, { plain = codec.read(it) })
                }
            ranks(1) { openPlain().use { it.save(1) } }
            restored(files, codec, 1) shouldBe listOf(listOf(1L, 2L))
            ranks(1) { open(files, codec, { listOf(3L) }, {}).use { it.save(2) } }
            ranks(1) { openPlain().use { it.restore() } }
            plain shouldBe listOf(3L)
        }

        test("without a rule another number of ranks is refused") {
            val files = SimulatedDisk().host("node0")
            val codec = CODECS.getValue("data")
            ranks(2) { open(files, codec, { listOf(1L) }, {}).use { it.save(1) } }
            ranks(1) {
                shouldThrow<CheckpointException> { open(files, codec, { listOf(1L) }, {}).use { it.restore() } }
                    .cause
                    .shouldBeInstanceOf<CheckpointException.Mismatch>()
                    .message shouldBe
                    "'log' is a stream of each rank, was saved by 2 ranks and has no rule for 1. Declare it with " +
                    "PerRankRule.Merge or PerRankRule.Drop, or restart on 2 ranks."
            }
        }

        test("text and objects that a reader leaves are noticed, also if it took them ahead or closed its source") {
            val line = Codecs.textStream({ out, text: String -> out.write(text) }, { it.readLine() })
            line.valueOf(line.bytesOf("one line\n")) shouldBe "one line"
            shouldThrow<IllegalStateException> { line.valueOf(line.bytesOf("one line\nx")) }.message shouldBe
                "text is left that was not read"
            val closing =
                Codecs.textStream(
                    { out, text: String -> out.write(text) },
                    { reader -> reader.use { it.readLine() } },
                )
            shouldThrow<IllegalStateException> { closing.valueOf(closing.bytesOf("one line\nx")) }

            val left = "objects or data are left that were not read"
            val rests =
                mapOf<String, (java.io.ObjectOutput) -> Unit>(
                    "an object" to { it.writeObject("two") },
                    "a null" to { it.writeObject(null) },
                    "data" to { it.writeInt(2) },
                    "a byte" to { it.write(2) },
                )
            for ((rest, write) in rests) {
                for (isClosed in listOf(false, true)) {
                    withClue("$rest is left, and the source is closed: $isClosed") {
                        val codec =
                            Codecs.objectStream(
                                NUMBERS,
                                { out, value: String ->
                                    out.writeObject(value)
                                    out.writeInt(1)
                                    write(out)
                                },
                                { source ->
                                    (source.readObject() as String).also {
                                        source.readInt() shouldBe 1
                                        if (isClosed) source.close()
                                    }
                                },
                            )
                        shouldThrow<IllegalStateException> { codec.valueOf(codec.bytesOf("one")) }.message shouldBe left
                    }
                }
            }
        }

        test("classes that the filter does not allow are not read, and texts without UTF-8 are not written") {
            val codec =
                Codecs.objectStream(NUMBERS, { out, path: Any -> out.writeObject(path) }, { it.readObject() })
            codec.valueOf(codec.bytesOf(listOf(5L))) shouldBe listOf(5L)
            shouldThrow<InvalidClassException> {
                codec.valueOf(
                    codec.bytesOf(java.net.URI("a:b")),
                )
            }.message shouldContain
                "REJECTED"
            val text = Codecs.textStream({ out, value: String -> out.write(value) }, { it.readText() })
            shouldThrow<CharacterCodingException> { text.bytesOf("half \ud83d of a pair") }
            shouldThrow<CharacterCodingException> { text.valueOf(byteArrayOf(65, -1)) }
        }

        test("a writer of text or data that is kept takes nothing after the save") {
            val kept = mutableListOf<java.io.Writer>()
            val text =
                Codecs.textStream(
                    { out, value: String -> kept += out.apply { write(value) } },
                    { it.readText() },
                )
            text.valueOf(text.bytesOf("all")) shouldBe "all"
            shouldThrow<IOException> { kept.single().write("late") }
        }
    })
