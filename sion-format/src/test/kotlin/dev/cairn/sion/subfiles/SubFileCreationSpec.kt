package dev.cairn.sion.subfiles

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.store.fixture.diskDirectory
import dev.cairn.sion.store.fixture.realPlace
import dev.cairn.sion.store.fixture.withRandom
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.sion.stripe.Striping
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.nio.file.FileAlreadyExistsException
import java.nio.file.Path

class SubFileCreationSpec :
    FunSpec({
        for (fixture in SetFixture.all) {
            test("${fixture.name}: striping the assembled file gives the files that HDF5 wrote") {
                val trial = CreationTrial(fixture)
                val config = trial.run()

                val inode = trial.store.fileNumber(OUT.resolve("ckpt.h5")).asLong
                config shouldBe OUT.resolve("ckpt.h5.subfile_$inode.config")
                val renamed = fixture.members.associateWith { it.replace(Regex("subfile_[0-9]+"), "subfile_$inode") }
                trial.store.list(OUT) shouldContainExactlyInAnyOrder renamed.values.map(OUT::resolve)
                for (file in fixture.subFiles + "ckpt.h5") {
                    trial.store.bytesOf(OUT.resolve(renamed.getValue(file))) shouldBe fixture.bytesOf(file)
                }
                String(trial.store.bytesOf(config)) shouldBe
                    String(fixture.bytesOf(fixture.config))
                        .replace("/scratch/sf", "/out")
                        .replace(Regex("aggregator_count=[0-9]+"), "aggregator_count=${fixture.subFiles.size}")
                        .replace(Regex("subfile_[0-9]+_"), "subfile_${inode}_")
                SubFileSet.open(trial.store, config, SubFileSet.MissingBytes.REFUSE).use { set ->
                    set.notes().shouldBeEmpty()
                    set.bytes() shouldBe fixture.fused
                }
            }
        }

        test("on a real file system the names have the inode that the stub ends up with") {
            val place = realPlace(diskDirectory)
            place.file("ckpt.h5", SetFixture.four.fused)
            val out = place.directory("out")
            val config = place.store.stripe(place.path("ckpt.h5"), out, Striping.of(1024, 4))

            config.fileName.toString() shouldBe
                "ckpt.h5.subfile_${java.nio.file.Files.getAttribute(out.resolve("ckpt.h5"), "unix:ino")}.config"
            SubFileSet.open(place.store, config, SubFileSet.MissingBytes.REFUSE).use { it.notes().shouldBeEmpty() }
        }

        test("a set of more than nine sub-files numbers them with leading zeros") {
            SubFileNames.of("x.h5", 5).subFiles(12).let { listOf(it[0], it[11]) } shouldBe
                listOf("x.h5.subfile_5_01_of_12", "x.h5.subfile_5_12_of_12")
        }

        test("an inode above 2^63 is a positive number") {
            SubFileNames.of("x.h5", -1).configuration() shouldBe "x.h5.subfile_18446744073709551615.config"
        }

        test("a striping for which HDF5 did not write the file is refused") {
            shouldThrow<SubFileException> { CreationTrial(SetFixture.four).run(Striping.of(512, 4)) }.message shouldBe
                "/ckpt.h5: HDF5 wrote it for 4 sub-files with stripes of 1024 bytes and opens no other set of it, " +
                "but 4 with 512 are wanted. Leave the choice to the file."
        }

        test("a file that was not written through the driver can be striped in any way") {
            val trial = CreationTrial(SetFixture.four)
            val plain =
                SetFixture.four.fused.also { bytes ->
                    (0x30 until 0x38).forEach { bytes[it] = -1 }
                }
            trial.store.put(Path.of("/plain.h5"), plain)
            val config = trial.store.stripe(Path.of("/plain.h5"), OUT, Striping.of(300, 12))
            SubFileSet.open(trial.store, config, SubFileSet.MissingBytes.REFUSE).use { set ->
                set.bytes() shouldBe plain
                set.notes() shouldBe
                    listOf("$config: the HDF5 file has no message of the sub-filing driver to compare it with.")
            }
            trial.store.bytesOf(OUT.resolve("plain.h5")).size shouldBe 96
        }

        test("stripes of few bytes, and files larger than what is copied at a time, come back as they were") {
            withRandom { random ->
                for ((depth, count) in listOf(1L to 2, 7L to 3, 5_000_000L to 2, 1_000_003L to 1)) {
                    val trial = CreationTrial(SetFixture.four)
                    // Short stripes take long, and one border between two copied parts is enough for them.
                    val large = random.nextBytes(if (depth < 10) 4_500_000 else 9_000_000)
                    SetFixture.four.fused.copyInto(large, 0, 0, 185)
                    large.fill(-1, 0x30, 0x38)
                    ByteBuffer.wrap(large).order(ByteOrder.LITTLE_ENDIAN).putLong(0x28, large.size.toLong())
                    trial.store.put(Path.of("/large.h5"), large)
                    val config = trial.store.stripe(Path.of("/large.h5"), OUT, Striping.of(depth, count))
                    SubFileSet.open(trial.store, config, SubFileSet.MissingBytes.REFUSE).use { set ->
                        set.bytes().contentEquals(large) shouldBe true
                        SubFileAssembly.run(set, trial.store, Path.of("/again.h5")) {}
                    }
                    trial.store.bytesOf(Path.of("/again.h5")).contentEquals(large) shouldBe true
                }
            }
        }

        test("what is no whole HDF5 file is refused") {
            val four = SetFixture.four
            mapOf(
                four.fused.copyOf(16447) to
                    "its superblock says that it has 16448 bytes, but it has 16447. " +
                    "It was cut or never closed: use another copy.",
                "sion".toByteArray() to
                    "its superblock should have 9 bytes, but only 4 are there. Use another copy.",
                ByteArray(100) to "it does not begin as an HDF5 file does. Check the name, or use another copy.",
                four.fused.also { it[8] = 4 } to
                    "its superblock has version 4, and versions 0 to 3 are known: " +
                    "the file is damaged or too new for this program.",
            ).forEach { (bytes, sentence) ->
                val store = SimulatedDisk().host("node")
                store.put(Path.of("/x.h5"), bytes)
                shouldThrow<SubFileException> { SubFileCreation.Source.of(store, Path.of("/x.h5")) }.message shouldBe
                    "/x.h5: $sentence"
            }
        }

        test("nothing is overwritten, and nothing is left behind") {
            val numberOfStub = CreationTrial(SetFixture.four).nextNumber()
            val names = SubFileNames.of("ckpt.h5", numberOfStub)
            for (taken in listOf("ckpt.h5", names.configuration(), names.subFiles(4)[2])) {
                for (suffix in listOf("", ".part")) {
                    val trial = CreationTrial(SetFixture.four) { it.put(OUT.resolve(taken + suffix), byteArrayOf(7)) }
                    // The file in the way has taken the number that the stub would have had.
                    val path =
                        if (taken == "ckpt.h5") taken else taken.replace("_$numberOfStub", "_${numberOfStub + 1}")
                    if (path != taken) trial.store.rename(OUT.resolve(taken + suffix), OUT.resolve(path + suffix))

                    shouldThrow<FileAlreadyExistsException> { trial.run() }.file shouldBe "/out/$path$suffix"
                    trial.store.list(OUT) shouldContainExactly listOf(OUT.resolve(path + suffix))
                    trial.store.bytesOf(OUT.resolve(path + suffix)) shouldBe byteArrayOf(7)
                }
            }
        }

        test("all files that an interrupted copy has left are named, also where its stub is gone") {
            val trial = CreationTrial(SetFixture.four)
            trial.store.put(OUT.resolve("ckpt.h5.part"), byteArrayOf(7))
            val inode = trial.store.fileNumber(OUT.resolve("ckpt.h5.part")).asLong
            val names = SubFileNames.of("ckpt.h5", inode)
            // It was killed while it gave the files their names.
            val left = listOf(names.configuration() + ".part", names.subFiles(2)[0], names.subFiles(2)[1] + ".part")
            left.forEach { trial.store.put(OUT.resolve(it), byteArrayOf(7)) }
            val others = listOf("other.h5.part", "ckpt.h5.subfile_99_1_of_1", "ckpt.h5.subfile_x.part")
            others.forEach { trial.store.put(OUT.resolve(it), byteArrayOf(7)) }

            fun named() = shouldThrow<FileAlreadyExistsException> { trial.run() }.run { listOf(file, reason) }
            named() shouldBe
                listOf(
                    "/out/ckpt.h5.part",
                    "it exists and is not overwritten, nor are /out/${left[0]}, /out/${left[1]}, /out/${left[2]} " +
                        "(an interrupted copy leaves such files): delete them, or choose another name",
                )
            trial.store.delete(OUT.resolve("ckpt.h5.part"))
            named() shouldBe
                listOf(
                    "/out/${left[0]}",
                    "it exists and is not overwritten, nor are /out/${left[2]} " +
                        "(an interrupted copy leaves such files): delete them, or choose another name",
                )
            left.forEach { trial.store.delete(OUT.resolve(it)) }
            trial.run()
        }

        test("where files have no inode, no set is made") {
            val trial = CreationTrial(SetFixture.four)
            val numberless = object : BlockStore by trial.store {}
            shouldThrow<SubFileException> { numberless.stripe(SOURCE, OUT, Striping.of(1024, 4)) }.message shouldBe
                "/out/ckpt.h5: this file system gives files no inode, of which the names of sub-files are made. " +
                "Choose a directory of another one."
            trial.store.list(OUT).shouldBeEmpty()
        }

        test("a failure at any operation leaves no file, and closes all") {
            val operations = CreationTrial(SetFixture.four).operations()
            for (failing in 1..operations) {
                val trial = CreationTrial(SetFixture.four)
                val broken = FailingStore(trial.store, failing)
                shouldThrow<IOException> { broken.stripe(SOURCE, OUT, Striping.of(1024, 4)) }
                trial.disk.openFiles().shouldBeEmpty()
                trial.store.list(OUT).shouldBeEmpty()
            }
        }

        test("a crash at any operation leaves a whole set or none that is to be seen") {
            val seen = sortedMapOf<String, Int>()
            var operation = 0L
            do {
                operation++
                val trial = CreationTrial(SetFixture.seven)
                trial.disk.crashAt(trial.disk.operationCount() + operation)
                val crash = runCatching { trial.run() }.exceptionOrNull()
                if (crash != null) check(crash is SimulatedDisk.CrashException) { crash }
                trial.disk.crashOutcomes().forEach { outcome ->
                    seen.merge(stateIn(trial.disk.afterCrash(outcome).host("survivor")), 1, Int::plus)
                }
            } while (crash != null)
            println("SubFileCreationSpec: ${operation - 1} operations, states after a crash: $seen")
            seen.keys shouldContainExactly setOf("none", "whole", "whole, without stub")
        }

        test("a crash at any operation of an assembly leaves the whole file or none") {
            val seen = sortedMapOf<String, Int>()
            var operation = 0L
            do {
                operation++
                val placed = SetFixture.four.placed()
                placed.store.forceDirectory(Path.of("/"))
                placed.disk.crashAt(placed.disk.operationCount() + operation)
                val crash =
                    runCatching {
                        placed.open().use { SubFileAssembly.run(it, placed.store, placed.path("out.h5")) {} }
                    }.exceptionOrNull()
                if (crash != null) check(crash is SimulatedDisk.CrashException) { crash }
                placed.disk.crashOutcomes().forEach { outcome ->
                    val survivor = placed.disk.afterCrash(outcome).host("survivor")
                    val out = placed.path("out.h5")
                    val state =
                        if (survivor.exists(
                                out,
                            )
                        ) {
                            survivor.bytesOf(out).contentEquals(SetFixture.four.fused)
                        } else {
                            "none"
                        }
                    seen.merge("$state", 1, Int::plus)
                }
                if (crash ==
                    null
                ) {
                    placed.disk.crashOutcomes().forEach {
                        placed.disk
                            .afterCrash(it)
                            .host("s")
                            .exists(placed.path("out.h5")) shouldBe
                            true
                    }
                }
            } while (crash != null)
            println("SubFileCreationSpec, assembly: ${operation - 1} operations, states after a crash: $seen")
            seen.keys shouldContainExactly setOf("none", "true")
        }
    })

private val SOURCE = Path.of("/ckpt.h5")
private val OUT = Path.of("/out")

/** An assembled file on a simulated disk, to be striped into a directory. */
private class CreationTrial(private val fixture: SetFixture, prepare: (BlockStore) -> Unit = {}) {
    val disk = SimulatedDisk()
    val store: BlockStore = disk.host("node")

    init {
        store.put(SOURCE, fixture.fused)
        store.open(SOURCE, dev.cairn.sion.store.Access.READ_WRITE).use { it.force() }
        store.makeDirectory(OUT)
        prepare(store)
        store.forceDirectory(Path.of("/"))
    }

    fun run(striping: Striping = Striping.of(fixture.depth, fixture.subFiles.size)): Path =
        store.stripe(SOURCE, OUT, striping)

    fun nextNumber(): Long = store.create(Path.of("/next")).use { store.fileNumber(Path.of("/next")).asLong }

    fun operations(): Int {
        val counting = FailingStore(store, Int.MAX_VALUE)
        counting.stripe(SOURCE, OUT, Striping.of(fixture.depth, fixture.subFiles.size))
        return counting.count
    }
}

private fun BlockStore.stripe(source: Path, directory: Path, striping: Striping): Path =
    SubFileCreation.run(this, SubFileCreation.Source.of(this, source), directory, striping) {}

/** Fails at one operation that is neither a close nor a deletion, and goes on. */
private class FailingStore(store: BlockStore, private val failing: Int) : ForwardingStore(store) {
    var count = 0

    override fun onOperation(operation: BlockStore.Operation) {
        if (operation.kind() != Kind.CLOSE && operation.kind() != Kind.DELETE && ++count == failing) {
            throw IOException("failed: $operation")
        }
    }
}

/** "none" only if neither HDF5 nor we can see anything; other states are failures. */
private fun stateIn(store: BlockStore): String {
    val files = if (store.exists(OUT)) store.list(OUT).map { it.fileName.toString() } else emptyList()
    val config = files.singleOrNull { it.endsWith(".config") }
    if (config == null) return if ("ckpt.h5" in files) "a stub alone" else "none"
    return try {
        SubFileSet.open(store, OUT.resolve(config), SubFileSet.MissingBytes.REFUSE).use { set ->
            check(set.bytes().contentEquals(SetFixture.seven.fused)) { "other bytes" }
            if (set.notes().isEmpty()) "whole" else "whole, without stub"
        }
    } catch (refused: SubFileException) {
        "half: ${refused.message}"
    }
}
