package dev.cairn.sion.zstd

import dev.cairn.house.JDK_DEPENDENT
import dev.cairn.house.Need
import dev.cairn.house.needs
import dev.cairn.sion.ForcePolicy
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.TaskView
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.withClue
import io.kotest.core.annotation.Tags
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.matchers.ints.shouldBeInRange
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.io.IOException
import java.lang.reflect.InvocationTargetException
import java.net.URLClassLoader
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Path
import kotlin.random.Random

/** Streams that are compressed: what comes back, what a foreign tool makes of them, and what damage does. */
@Tags(JDK_DEPENDENT)
class ZstdStreamsSpec :
    FunSpec({
        test("whatever is written comes back, in any chunks and pieces, at any level") {
            withRandom { random ->
                repeat(60) {
                    val content = contentAtRandom(random)
                    val multifile = Compressed(content, chunkSize = random.nextLong(1, 4000), random)
                    multifile.read { view -> view.readInPieces(random).contentEquals(content) shouldBe true }
                }
            }
        }

        test("a stream is a mark, frames of at most 1 MiB of content, and a mark that counts them") {
            val content = Random(7).nextBytes(2 * MIB + MIB / 2)
            val stream = ByteBuffer.wrap(Compressed(content).stream).order(ByteOrder.LITTLE_ENDIAN)

            stream.array().copyOf(24) shouldBe
                byteArrayOf(0x5c, 0x2a, 0x4d, 0x18, 16, 0, 0, 0) + "sion task zstd 1".toByteArray()
            // RFC 8878: magic, then a descriptor: 4 bytes of content size, a single segment, a checksum.
            stream.getInt(24) shouldBe 0xfd2fb528.toInt()
            stream.get(28).toInt() and 0xff shouldBe 0b10100100
            stream.getInt(29) shouldBe MIB
            val end = stream.array().size - 24
            stream.getInt(end) shouldBe 0x184d2a5c
            stream.getInt(end + 4) shouldBe 16
            stream.getLong(end + 8) shouldBe 3
            stream.getLong(end + 16) shouldBe content.size
        }

        test("a task to which nothing was written is two marks") {
            val multifile = Compressed(ByteArray(0))
            multifile.stream.size shouldBe 48
            multifile.read { it.readAll().size shouldBe 0 }
        }

        test("a stream of a task is compressed, and read, in a line each") {
            val store = SimulatedDisk().host("node")
            val content = ByteArray(1000) { it.toByte() }
            val spec = spec()
            // region compress
            MultifileWriter.create(store, spec, TaskRequest.equal(1, 4096)).use { writer ->
                ZstdStreams.compress(writer.task(0)).use { out -> out.write(content) }
                writer.finish()
            }
            val read = Multifile.openTask(store, spec.path(), 0).use { ZstdStreams.decompress(it).readAllBytes() }
            // endregion
            read shouldBe content
        }

        test("a flush hands all that was written to the file") {
            val store = SimulatedDisk().host("node")
            val content = ByteArray(1000) { it.toByte() }
            MultifileWriter.create(store, spec(), TaskRequest.equal(1, 100_000)).use { writer ->
                val out = ZstdStreams.compress(writer.task(0))
                out.write(content)
                out.flush()
                writer.task(0).size().toInt() shouldBeInRange 24 + 18..24 + 1100
                out.close()
                writer.finish()
            }
            Multifile.openTask(store, PATH, 0).use { it.readAll() shouldBe content }
        }

        test("no changed bit gives other content") {
            val content = ByteArray(700) { (it * it % 51).toByte() }
            val multifile = Compressed(content)
            withRandom { random ->
                val outcomes = sortedMapOf<String, Int>()
                for (position in multifile.stream.indices) {
                    for (bit in 0..7) {
                        val changed = multifile.stream.clone()
                        changed[position] = (changed[position].toInt() xor (1 shl bit)).toByte()
                        val outcome = multifile.with(changed).outcome(content, random)
                        outcomes.merge(outcome, 1, Int::plus)
                        withClue("byte $position, bit $bit") { (outcome in HONEST) shouldBe true }
                    }
                }
                println("ZstdStreamsSpec: changed bits: $outcomes")
            }
        }

        test("a stream that is cut anywhere is refused") {
            val multifile = Compressed(Random(3).nextBytes(400))
            for (length in 24 until multifile.stream.size) {
                multifile.with(multifile.stream.copyOf(length)).read { view ->
                    withClue(length) { shouldThrow<SionException.Corrupt> { view.readAll() } }
                }
            }
        }

        test("a damaged frame is one sentence that names file, task, frame and place") {
            val multifile = Compressed(Random(5).nextBytes(3 * MIB))
            val start = multifile.frameStart(1)
            val changed = multifile.stream.clone().also { it[start + 5000] = (it[start + 5000] + 1).toByte() }

            multifile.with(changed).read { view ->
                shouldThrow<SionException.Corrupt> { view.readAll() }.message shouldBe
                    "$PATH: zstd frame 1 of task 0 at byte ${FIRST_CHUNK + start} should be whole and fit its " +
                    "checksum, but is not: Restored data doesn't match checksum. The file is damaged: use another copy of it."
            }
        }

        test("a stream that ends behind a frame says that its end is missing") {
            val multifile = Compressed(Random(5).nextBytes(3 * MIB))
            val start = multifile.frameStart(2)

            multifile.with(multifile.stream.copyOf(start)).read { view ->
                shouldThrow<SionException.Corrupt> { view.readAll() }.message shouldBe
                    "$PATH: end mark of task 0 at byte ${FIRST_CHUNK + start} should be 24 bytes behind 2 frames, " +
                    "but is missing. The file is damaged: use another copy of it."
            }
        }

        test("a frame that claims to be huge is refused before it gets memory") {
            val huge = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN)
            huge.put(Compressed(ByteArray(0)).stream.copyOf(24)).putInt(0xfd2fb528.toInt()).put(0b11100100.toByte())
            huge.putLong(1L shl 40)

            Compressed(ByteArray(0)).with(huge.array()).read { view ->
                shouldThrow<SionException.Corrupt> { view.readAll() }.message shouldContain
                    "its header tells of 1099511627776 bytes of content with a checksum"
            }
        }

        test("what only looks like Zstandard's is the user's own") {
            val frame = Compressed(ByteArray(100)).stream.let { it.copyOfRange(24, it.size - 24) }
            Compressed(ByteArray(0)).with(frame).read { view ->
                ZstdStreams.isCompressed(view) shouldBe false
                shouldThrow<IllegalArgumentException> { ZstdStreams.decompress(view) }.message shouldBe
                    "task 0 is not compressed, or not by this library: read its stream()."
            }
        }

        test("a stream is compressed from its start, at a level that there is") {
            val store = SimulatedDisk().host("node")
            MultifileWriter.create(store, spec(), TaskRequest.equal(2, 100)).use { writer ->
                writer.task(0).write(ByteBuffer.allocate(3))
                shouldThrow<IllegalArgumentException> { ZstdStreams.compress(writer.task(0)) }.message shouldBe
                    "task 0 has written 3 bytes already: compress its stream from the start."
                shouldThrow<IllegalArgumentException> { ZstdStreams.compress(writer.task(1), 23) }.message shouldContain
                    " to 22, not 23."
            }
        }

        test("a stream that a failure has torn can never be finished") {
            var full = false
            val disk = SimulatedDisk().host("node")
            val store =
                object : ForwardingStore(disk) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        if (full &&
                            operation.kind() == BlockStore.Operation.Kind.WRITE
                        ) {
                            throw IOException("the disk is full")
                        }
                    }
                }
            MultifileWriter.create(store, spec(), TaskRequest.equal(1, 8L * MIB)).use { writer ->
                val out = ZstdStreams.compress(writer.task(0))
                full = true
                shouldThrow<IOException> { out.write(Random(1).nextBytes(MIB)) }.message shouldBe
                    "/x.sion: the disk is full"
                full = false
                shouldThrow<IOException> { out.write(1) }.message shouldBe
                    "task 0: its compressed stream is torn by an earlier failure, so nothing can be added."
                out.close()
                shouldThrow<IllegalStateException> { writer.finish() }
            }
        }

        test("without the library, a sentence says what to add, and plain streams are still plain") {
            val classes =
                Path.of(
                    ZstdStreams::class.java.protectionDomain.codeSource.location
                        .toURI(),
                )
            URLClassLoader(arrayOf(classes.toUri().toURL()), ClassLoader.getPlatformClassLoader()).use { alone ->
                val failure =
                    shouldThrow<InvocationTargetException> {
                        val streams = alone.loadClass("dev.cairn.sion.zstd.ZstdStreams")
                        streams.getMethod("compress", alone.loadClass("dev.cairn.sion.ChunkWriter")).invoke(null, null)
                    }
                (failure.cause is IOException) shouldBe true
                failure.cause?.message shouldBe
                    "compressed streams need the library com.github.luben:zstd-jni, which is not there or not for " +
                    "this machine: add it to the class path, or to the module path with " +
                    "--add-modules com.github.luben.zstd_jni."
            }
        }

        test("the command zstd decompresses the stream as it is").config(enabledOrReasonIf = needs { withCommand() }) {
            val content = ByteArray(2 * MIB + 12345) { (it / 7).toByte() }
            val process = ProcessBuilder(System.getProperty(COMMAND), "-d", "-c").start()
            val feeding = Thread { process.outputStream.use { it.write(Compressed(content).stream) } }.apply { start() }
            process.inputStream.readAllBytes().contentEquals(content) shouldBe true
            feeding.join()
            process.waitFor() shouldBe 0
        }
    })

private const val MIB = 1 shl 20
private const val COMMAND = "cairn.zstd"
private const val FIRST_CHUNK = 1536
private val HONEST = setOf("refused", "not compressed", "same content")
private val PATH = Path.of("/x.sion")

private fun withCommand(): Enabled = Need.ZSTD.given(!System.getProperty(COMMAND).isNullOrEmpty())

private fun spec() = MultifileSpec.serial(PATH).withBlockSize(512).withForcePolicy(ForcePolicy.NEVER)

/** Runs of equal bytes and noise, by turns, of no length up to more than a frame. */
private fun contentAtRandom(random: Random): ByteArray {
    val pieces =
        List(random.nextInt(6)) {
            val length = if (random.nextInt(8) == 0) random.nextInt(2 * MIB) else random.nextInt(3000)
            if (random.nextBoolean()) random.nextBytes(length) else ByteArray(length) { 42 }
        }
    return pieces.fold(ByteArray(0), ByteArray::plus)
}

/** A multifile of one task whose stream is compressed, and the bytes of that stream. */
private class Compressed private constructor(val stream: ByteArray, chunkSize: Long) {
    private val store = SimulatedDisk().host("node")

    init {
        MultifileWriter.create(store, spec(), TaskRequest.equal(1, chunkSize)).use { writer ->
            writer.task(0).append(ByteBuffer.wrap(stream))
            writer.finish()
        }
    }

    constructor(
        content: ByteArray,
        chunkSize: Long = 1L shl 30,
        random: Random = Random(0),
    ) : this(compressed(content, random), chunkSize)

    fun with(stream: ByteArray) = Compressed(stream, chunkSize = 1L shl 30)

    fun <T> read(use: (TaskView) -> T): T = Multifile.openTask(store, PATH, 0).use(use)

    /** Noise cannot be compressed, so the magic of a frame does not occur in it by chance twice. */
    fun frameStart(number: Int): Int {
        val buffer = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN)
        return (0..stream.size - 4).filter { buffer.getInt(it) == 0xfd2fb528.toInt() }[number]
    }

    fun outcome(content: ByteArray, random: Random): String =
        read { view ->
            try {
                if (view.readInPieces(random).contentEquals(content)) "same content" else "other content"
            } catch (refused: SionException.Corrupt) {
                "refused"
            } catch (plain: IllegalArgumentException) {
                "not compressed"
            }
        }
}

private fun compressed(content: ByteArray, random: Random): ByteArray {
    val store = SimulatedDisk().host("writer")
    MultifileWriter.create(store, spec(), TaskRequest.equal(1, random.nextLong(1, 5000))).use { writer ->
        ZstdStreams.compress(writer.task(0), random.nextInt(-3, 6)).use { out ->
            var done = 0
            while (done < content.size) {
                val piece = random.nextInt(1, content.size - done + 1)
                if (piece == 1) out.write(content[done].toInt()) else out.write(content, done, piece)
                done += piece
            }
        }
        writer.finish()
    }
    return Multifile.openTask(store, PATH, 0).use { view -> view.stream().use { it.readAllBytes() } }
}

private fun TaskView.readAll(): ByteArray = ZstdStreams.decompress(this).use { it.readAllBytes() }

private fun TaskView.readInPieces(random: Random): ByteArray {
    val pieces = mutableListOf<ByteArray>()
    ZstdStreams.decompress(this).use { stream ->
        while (true) {
            val piece = ByteArray(random.nextInt(1, 400_000))
            val count = stream.read(piece)
            if (count < 0) break
            pieces += piece.copyOf(count)
            val one = if (random.nextBoolean()) stream.read() else continue
            if (one >= 0) pieces += byteArrayOf(one.toByte())
        }
        stream.read() shouldBe -1
    }
    return pieces.fold(ByteArray(0), ByteArray::plus)
}
