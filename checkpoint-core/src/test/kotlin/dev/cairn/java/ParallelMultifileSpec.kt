package dev.cairn.java

import dev.cairn.event.CallsDifferException
import dev.cairn.event.RankFailedException
import dev.cairn.multifile.filePerHost
import dev.cairn.multifile.readMultifile
import dev.cairn.multifile.readTask
import dev.cairn.multifile.writeMultifile
import dev.cairn.multifile.writeRecords
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.attemptRanks
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.sion.FileMapping
import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.failure.SionException
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.sion.store.ForwardingStore
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.ByteBuffer
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.io.path.exists
import kotlin.io.path.name

class ParallelMultifileSpec :
    FunSpec({
        val directory = tempdir().toPath()

        fun spec(name: String) = MultifileSpec.parallel(directory.resolve(name)).withBlockSize(512)

        suspend fun Communicator.writeStreams(spec: MultifileSpec, store: CountingStore = CountingStore()) =
            writeMultifile(spec, 700, store) { it.append(ByteBuffer.wrap(stream(rank))) }

        test("each of as many ranks reads its own task") {
            val spec = spec("own.sion").withMapping(FileMapping.contiguous(3))
            ranks(7) { writeStreams(spec) }
            ranks(7) { readTask(spec.path()) { it.stream().readAllBytes() } }.forEachIndexed { rank, bytes ->
                bytes shouldBe stream(rank)
            }
        }

        for (readers in listOf(1, 2, 5, 7, 16)) {
            test("7 tasks are read by $readers ranks, any bytes of any task") {
                val spec = spec("any$readers.sion").withMapping(FileMapping.byFile { it % 2 })
                ranks(7) { writeStreams(spec) }
                ranks(readers) {
                    readMultifile(spec.path()) { view ->
                        for (task in rank % 7 until 7) {
                            val from = (rank * 131L) % (stream(task).size + 1)
                            val bytes = ByteBuffer.allocate(stream(task).size - from.toInt())
                            view.read(task, from, bytes) shouldBe if (bytes.capacity() == 0) -1 else bytes.capacity()
                            bytes.array() shouldBe stream(task).copyOfRange(from.toInt(), stream(task).size)
                        }
                    }
                }
            }
        }

        test("meta data are read once, and a physical file is opened once for all its readers, and only if needed") {
            val spec = spec("once.sion").withMapping(FileMapping.contiguous(4))
            // What lies close to the meta data is read along with them, so the streams are long.
            ranks(64) { writeMultifile(spec, 100_000) { it.append(ByteBuffer.allocate(100_000)) } }
            val store = CountingStore()
            ranks(100) {
                readMultifile(spec.path(), store) { view ->
                    val task = view.task(40 + rank % 8)
                    task.stream().readAllBytes().size shouldBe 100_000
                }
            }
            val whileOpening = listOf("once.sion", "once.sion.000001", "once.sion.000002", "once.sion.000003")
            store.opened shouldContainExactlyInAnyOrder whileOpening + "once.sion.000002"
            store.closed shouldContainExactlyInAnyOrder store.opened
        }

        test("ranks of a process open each physical file once for writing, and force it once") {
            val store = CountingStore()
            ranks(64) { writeStreams(spec("shared.sion").withMapping(FileMapping.contiguous(2)), store) }
            // Each file is created, written by the ranks, and closed by rank 0, who forces it before and after.
            store.opened.sorted() shouldBe List(2) { "shared.sion" } + List(2) { "shared.sion.000001" }
            store.forced.count { it == "shared.sion.000001" } shouldBe 3
            store.closed shouldContainExactlyInAnyOrder store.opened + store.created
        }

        test("one physical file per host") {
            val spec = spec("hosts.sion")
            ranks(RankPlan(6, hosts = { "node${it % 3}" })) { writeStreams(spec.withMapping(filePerHost())) }
            Multifile.open(spec.path()).use { view ->
                view.info().fileCount() shouldBe 3
                List(6) { view.place(it).fileNumber() } shouldBe listOf(0, 1, 2, 0, 1, 2)
            }
        }

        test("a rank that fails to write is named on all ranks, and the multifile is not taken for a good one") {
            val spec = spec("failed.sion")
            val report =
                attemptRanks(RankPlan(5)) {
                    shouldThrow<RankFailedException> {
                        writeMultifile(spec, 700) { if (rank == 3) error("no data") }
                    }.message
                }
            report.results().toSet() shouldBe
                setOf(
                    "'close' was abandoned on all ranks, because rank 3 on host0 failed: " +
                        "java.lang.IllegalStateException: no data",
                )
            shouldThrow<SionException> { Multifile.open(spec.path()) }
        }

        test("a disk that fails on one rank is told to all") {
            val spec = spec("disk.sion")
            ranks(4) {
                val failure =
                    shouldThrow<RankFailedException> {
                        writeMultifile(spec, 700, BrokenOnce(rank == 2)) { it.append(ByteBuffer.wrap(stream(rank))) }
                    }
                failure.rank shouldBe 2
                failure.message shouldContain "the disk is gone"
            }
        }

        test("ranks with different arguments are told which, and nothing is created") {
            ranks(6) {
                val spec = if (rank in setOf(1, 4)) spec("b.sion") else spec("a.sion")
                val failure = shouldThrow<RankFailedException> { writeStreams(spec) }
                failure.cause.shouldBeInstanceOf<CallsDifferException>()
                failure.cause!!.message shouldBe
                    "the ranks do not specify the same multifile (path $directory/a.sion: ranks 0, 2-3, 5; " +
                    "path $directory/b.sion: ranks 1, 4). Pass the same arguments on all ranks."
            }
            ranks(2) {
                val failure =
                    shouldThrow<RankFailedException> { writeStreams(spec("a.sion").withBlockSize(512 * (rank + 1))) }
                failure.message shouldContain "(block size 512: rank 0; block size 1024: rank 1)"
            }
            listOf("a.sion", "b.sion").any { directory.resolve(it).exists() } shouldBe false
        }

        test("ranks with different mapping functions are told which") {
            ranks(4) {
                val mapping = FileMapping.byFile { if (rank == 3) 1 - it % 2 else it % 2 }
                val failure =
                    shouldThrow<RankFailedException> { writeStreams(spec("c.sion").withMapping(mapping)) }
                failure.cause!!.message shouldBe
                    "$directory/c.sion: rank 3 and rank 0 map tasks to files by different functions: " +
                    "for rank 3 its own function returns 0, but that of rank 0 returns 1. " +
                    "Pass the same mapping on all ranks."
            }
        }

        test("more files than tasks, a serial spec and a negative chunk are refused on all ranks") {
            suspend fun Communicator.refusal(spec: MultifileSpec, chunkSize: Long = 10) =
                shouldThrow<RankFailedException> { writeMultifile(spec, chunkSize) {} }.cause!!.message!!
            ranks(3) {
                refusal(spec("d.sion").withMapping(FileMapping.contiguous(4))) shouldContain
                    "3 tasks fill 1 to 3 files, not 4"
                refusal(MultifileSpec.serial(directory.resolve("d.sion"))) shouldContain "use MultifileSpec.parallel"
                refusal(spec("d.sion"), chunkSize = -rank.toLong()) shouldContain "asks for a chunk of -1 bytes"
            }
        }

        test("the task-local view is refused to another number of ranks, on all of them") {
            val spec = spec("count.sion")
            ranks(3) { writeStreams(spec) }
            ranks(4) {
                val failure = shouldThrow<RankFailedException> { readTask(spec.path()) {} }
                failure.failures.map { it.rank } shouldBe listOf(0, 1, 2, 3)
                failure.cause!!.message shouldContain "it has 3 tasks, but 4 ranks request one each"
            }
        }

        test("ranks that read different multifiles or tasks are named") {
            val spec = spec("read.sion")
            ranks(3) { writeStreams(spec) }
            ranks(3) {
                val path = if (rank == 2) directory.resolve("other.sion") else spec.path()
                val failure = shouldThrow<RankFailedException> { readTask(path) {} }
                failure.failures.map { it.rank } shouldBe listOf(2)
                failure.message shouldContain "reads its own task of $directory/other.sion, but rank 0"
            }
        }

        test("a damaged or missing multifile is refused on all ranks") {
            ranks(3) {
                val failure = shouldThrow<RankFailedException> { readMultifile(directory.resolve("none")) {} }
                failure.cause.shouldBeInstanceOf<java.nio.file.NoSuchFileException>()
            }
        }

        test("a rank may call collectives while the multifile is open") {
            val spec = spec("between.sion")
            ranks(4) {
                writeMultifile(spec, 700) { chunks ->
                    repeat(3) { step ->
                        collectively("step $step") { chunks.append(ByteBuffer.wrap(stream(rank))) }
                    }
                }
                readMultifile(spec.path()) { view ->
                    barrier()
                    view.task(rank).size() shouldBe 3L * stream(rank).size
                }
            }
        }

        test("Java ranks, each on a thread of its own, do the same") {
            val spec = spec("java.sion")
            BlockingRanks.run(5) { ranks ->
                ranks.writeRecords(spec, 100) { records ->
                    ranks.barrier()
                    records.put(ranks.rank.toLong(), ByteBuffer.wrap(stream(ranks.rank)))
                }
            }
            BlockingRanks.run(2) { ranks ->
                ranks.readMultifile(spec.path()) { view ->
                    val value = ByteBuffer.allocate(stream(4).size)
                    view.task(4).records().read(4, 0, value)
                    value.array() shouldBe stream(4)
                }
            }
        }
    })

/** Streams of different lengths, one of them empty. */
private fun stream(rank: Int) = ByteArray(rank * 777 % 2500) { (rank * 31 + it * 7 + (it shr 8)).toByte() }

/** Keeps the names of files that are opened, forced and closed. */
private class CountingStore : ForwardingStore(FileBlockStore()) {
    val opened = ConcurrentLinkedQueue<String>()
    val created = ConcurrentLinkedQueue<String>()
    val forced = ConcurrentLinkedQueue<String>()
    val closed = ConcurrentLinkedQueue<String>()

    override fun onOperation(operation: BlockStore.Operation) {
        val names =
            when (operation.kind()) {
                BlockStore.Operation.Kind.OPEN -> opened
                BlockStore.Operation.Kind.CREATE -> created
                BlockStore.Operation.Kind.FORCE -> forced
                BlockStore.Operation.Kind.CLOSE -> closed
                else -> return
            }
        names += operation.path().name
    }
}

/** Refuses to write data, if it is [broken]. */
private class BrokenOnce(private val broken: Boolean) : ForwardingStore(FileBlockStore()) {
    override fun onOperation(operation: BlockStore.Operation) {
        if (broken && operation.kind() == BlockStore.Operation.Kind.WRITE) throw java.io.IOException("the disk is gone")
    }
}
