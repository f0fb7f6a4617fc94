package dev.cairn.sion.fuzz

import dev.cairn.sion.Content
import dev.cairn.sion.FileMapping
import dev.cairn.sion.Grouping
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.fixture.DamagedMultifile
import dev.cairn.sion.fixture.Fixtures
import dev.cairn.sion.layout.FileNames
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.zstd.ZstdStreams
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.writeBytes

/** What the fuzzer starts from: the C library's own small files, and tiny ones of every kind. */
object Seeds {
    private const val LARGEST = 20_000
    private val PATH: Path = Path.of("/seeds/x.sion")
    private val NO_CHOICES = ByteArray(0)

    /** For the fuzzer, which wants a directory. */
    fun unpack(directory: Path) =
        all().forEachIndexed { number, bytes -> directory.resolve("seed-$number").writeBytes(bytes) }

    private fun all(): List<ByteArray> =
        (healthy().flatMapIndexed(::variants) + broken() + copied())
            .map { it.encoded() }
            .filter { it.size <= LARGEST }

    private fun healthy(): List<HostileFiles> {
        val sets = fixtures() + format2() + compressed() + tiny(MultifileWriter::finish)
        return sets.flatMap { listOf(it) + membersAlone(it) }
    }

    /** One task, of whose stream Zstandard makes two frames. */
    private fun compressed(): HostileFiles =
        filesOf(
            written(MultifileSpec.serial(PATH).withBlockSize(1), chunkSizes = longArrayOf(64)) { writer ->
                ZstdStreams.compress(writer.task(0)).use { stream ->
                    stream.write(bytes(20).array())
                    stream.flush()
                    stream.write(bytes(20).array())
                }
                writer.finish()
            },
        )

    /** Files that were not closed, that are cut, and sets without their first file. */
    private fun broken(): List<HostileFiles> {
        val whole = tiny(MultifileWriter::finish)
        val cut = whole.map { files -> files.bytes.mapValues { (_, content) -> content.copyOf(content.size - 5) } }
        val headless = whole.map { it.bytes - 0 }.filter { it.isNotEmpty() }
        val unclosed = tiny { }.map { it.bytes }
        return (cut + headless + unclosed).flatMapIndexed { number, bytes ->
            listOf(0, 1).map { HostileFiles(choices(number + 128 * it, Further.SALVAGE), bytes) }
        }
    }

    /** Two tasks in two files. The second block of the first task is empty. */
    fun twoFiles(): HostileFiles {
        val spec = MultifileSpec.parallel(PATH).withBlockSize(1).withMapping(FileMapping.contiguous(2))
        return filesOf(
            written(spec, chunkSizes = longArrayOf(8, 8)) { writer ->
                writer.task(0).write(bytes(5))
                writer.task(0).ensureFreeSpace(8)
                writer.task(1).write(bytes(3))
                writer.finish()
            },
        )
    }

    /** The same files, with which everything is done that can be. */
    private fun variants(number: Int, files: HostileFiles) =
        Further.values().map { HostileFiles(choices(number, it), files.bytes) }

    private fun choices(number: Int, further: Further) =
        ByteArray(5) { if (it < 4) (number * 31 + it * 57).toByte() else further.ordinal.toByte() }

    /** The C library's multifile with copies, whole and without each of its files. */
    private fun copied(): List<HostileFiles> {
        val file = Fixtures.bundled("p12-buddy").file
        val originals = (0..2).associateWith { bytesOf(FileNames.physical(file, it)) }
        val copies = FileNames.buddy(file, 0)
        val all =
            originals + (0..2).associate { HostileFiles.numberOfCopy(0, it) to bytesOf(FileNames.physical(copies, it)) }
        return (listOf(all) + all.keys.map { all - it }).map { HostileFiles(choices(0, Further.COPIES), it) }
    }

    private fun membersAlone(files: HostileFiles) =
        files.bytes.filterKeys { it > 0 }.map { (number, content) ->
            HostileFiles(NO_CHOICES, mapOf(number to content))
        }

    private fun fixtures(): List<HostileFiles> =
        Fixtures.all.map { fixture ->
            val name = fixture.file.fileName.toString()
            val paths = Files.list(Fixtures.folder).use { it.toList() }
            val members =
                paths.sorted().filter { it.fileName.toString().matches(Regex(Regex.escape(name) + "(\\.[0-9]{6})?")) }
            HostileFiles(NO_CHOICES, members.associate { numberOf(it) to bytesOf(it) })
        }

    private fun format2() = listOf(HostileFiles(NO_CHOICES, mapOf(0 to DamagedMultifile.ofFormat2().bytesOf())))

    private fun numberOf(path: Path) =
        path.fileName
            .toString()
            .substringAfterLast(".sion")
            .drop(1)
            .ifEmpty { "0" }
            .toInt()

    /** Of every kind, ended by [end]. */
    private fun tiny(end: (MultifileWriter) -> Unit): List<HostileFiles> =
        listOf(Content.BYTES, Content.RECORDS).flatMap { content ->
            listOf(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN).flatMap { order ->
                specs().map { filesOf(written(it.withBlockSize(1).withContent(content).withMetaDataOrder(order), end)) }
            }
        }

    private fun specs(): List<MultifileSpec> =
        listOf(
            MultifileSpec.serial(PATH),
            MultifileSpec.parallel(PATH),
            MultifileSpec.parallel(PATH).withMapping(FileMapping.contiguous(2)),
            MultifileSpec.parallel(PATH).withMapping(FileMapping.byFile { it % 3 }),
            MultifileSpec.parallel(PATH).withGrouping(Grouping.ofExactly(2)),
            MultifileSpec.mapped(PATH),
            MultifileSpec.mapped(PATH).withMapping(FileMapping.contiguous(2)),
        )

    private fun written(spec: MultifileSpec, end: (MultifileWriter) -> Unit): BlockStore =
        written(spec, longArrayOf(8, 24, 1, 40)) { writer ->
            repeat(writer.taskCount()) { task -> if (task != 1) writer.fill(task, spec.content()) }
            end(writer)
        }

    private fun written(spec: MultifileSpec, chunkSizes: LongArray, write: (MultifileWriter) -> Unit): BlockStore {
        val store = SimulatedDisk().host("node0")
        store.makeDirectory(PATH.parent)
        MultifileWriter.create(store, spec, TaskRequest.ofSizes(*chunkSizes)).use { writer ->
            write(writer)
        }
        return store
    }

    private fun MultifileWriter.fill(task: Int, content: Content) =
        when (content) {
            Content.BYTES -> task(task).append(bytes(11))
            Content.RECORDS -> listOf(7L, -1L, 7L).forEach { records(task).put(it, bytes(task + 1)) }
        }

    private fun bytes(count: Int) = ByteBuffer.wrap(ByteArray(count) { (it + 1).toByte() })

    private fun filesOf(store: BlockStore) =
        HostileFiles(NO_CHOICES, store.list(PATH.parent).associate { numberOf(it) to store.bytesOf(it) })

    private fun bytesOf(path: Path): ByteArray = Files.readAllBytes(path)
}
