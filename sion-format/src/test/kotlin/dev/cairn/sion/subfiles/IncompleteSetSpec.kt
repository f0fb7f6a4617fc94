package dev.cairn.sion.subfiles

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.stripe.Extent
import dev.cairn.sion.stripe.Striping
import dev.cairn.sion.subfiles.SubFileSet.MissingBytes
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/** Sets of which files are missing, cut, renamed or of another set. */
class IncompleteSetSpec :
    FunSpec({
        val four = SetFixture.four
        val second = four.subFiles[1]

        fun refusal(placed: PlacedSet): String {
            val refusal = shouldThrow<SubFileException> { placed.open() }
            placed.disk.openFiles().shouldBeEmpty()
            return refusal.message.orEmpty()
        }

        fun without(vararg files: String) = four.placed { file, bytes -> bytes.takeUnless { file in files } }

        fun with(changed: String, change: (ByteArray) -> ByteArray) =
            four.placed { file, bytes -> if (file == changed) change(bytes) else bytes }

        test("a missing sub-file is refused by name") {
            refusal(without(second)) shouldBe "/data/$second: this sub-file is missing. Bring it back."
        }

        test("a renamed sub-file is missing, and the file that may be it is named") {
            val placed = without(second)
            placed.store.put(placed.path("ckpt.h5.subfile_99_2_of_4"), four.bytesOf(second))
            refusal(placed) shouldBe
                "/data/$second: this sub-file is missing. " +
                "Bring it back; if ckpt.h5.subfile_99_2_of_4 is it, rename that file."
        }

        test("that a sub-file is missing is said first, also where the superblock is not whole without it") {
            val trial = four.placed { _, _ -> null }
            val plain = four.fused.also { it.fill(-1, 0x30, 0x38) }
            trial.store.put(Path.of("/plain.h5"), plain)
            val source = SubFileCreation.Source.of(trial.store, Path.of("/plain.h5"))
            val config = SubFileCreation.run(trial.store, source, SetFixture.DIRECTORY, Striping.of(16, 3)) {}
            val lost = trial.store.list(SetFixture.DIRECTORY).single { it.toString().endsWith("_2_of_3") }
            trial.store.delete(lost)

            shouldThrow<SubFileException> { SubFileSet.open(trial.store, config, MissingBytes.REFUSE) }.message shouldBe
                "$lost: this sub-file is missing. Bring it back."
        }

        test("sub-files that are too long for any file are refused") {
            val placed = with(four.subFiles[0]) { ByteArray(it.size) }
            placed.store.delete(placed.path("ckpt.h5"))
            placed.store.open(placed.path(four.subFiles[0]), Access.READ_WRITE).use { it.resize(1L shl 62) }
            shouldThrow<SubFileException> { placed.open(MissingBytes.ALLOW) }.message shouldBe
                "${placed.config}: its sub-files are too long to be parts of one file. Use another copy of the set."
        }

        test("a short sub-file is refused, and so is one of another length that ends a row") {
            refusal(with(second) { it.copyOf(4000) }) shouldBe
                "/data/$second: this sub-file should have 4096 bytes, but has 4000. " +
                "It was cut, or the set was never closed: use another copy."
            refusal(with(four.subFiles[0]) { it.copyOf(4096) }) shouldBe
                "/data/${four.subFiles[0]}: this sub-file should have 4160 bytes, but has 4096. " +
                "It was cut, or the set was never closed: use another copy."
        }

        test("a long sub-file is refused") {
            refusal(with(second) { it + 0 }) shouldBe
                "/data/$second: this sub-file should have 4096 bytes, but has 4097. " +
                "It is of another set, or the set was never closed: use another copy."
        }

        test("whatever is missing, every byte that is there is read, and every other one is in a hole") {
            val fused = four.fused
            val cases =
                four.subFiles.map { file -> without(file) } +
                    without(four.subFiles[0], four.subFiles[3]) +
                    without(*four.subFiles.drop(1).toTypedArray()) +
                    listOf(0, 100, 1024, 4000, 4095).map { size -> with(second) { it.copyOf(size) } }
            for (placed in cases) {
                placed.open(MissingBytes.ALLOW).use { set ->
                    set.size() shouldBe four.size
                    set.holes().toList() shouldBe holesByDefinition(placed)
                    var next = 0L
                    for (hole in set.holes() + Extent(four.size, 0)) {
                        set.bytes(next, (hole.offset() - next).toInt()) shouldBe
                            fused.copyOfRange(next.toInt(), hole.offset().toInt())
                        if (hole.length() > 0) {
                            shouldThrow<SubFileException> { set.bytes(hole.offset(), 1) }
                            shouldThrow<SubFileException> { set.bytes(hole.end() - 1, 1) }
                        }
                        next = hole.end()
                    }
                    SubFileAssembly.run(set, placed.store, placed.path("out.h5")) {}
                }
                val holes = holesByDefinition(placed).flatMap { it.offset() until it.end() }.toSet()
                placed.store.bytesOf(placed.path("out.h5")) shouldBe
                    ByteArray(four.size.toInt()) { if (it.toLong() in holes) 0 else fused[it] }
            }
        }

        test("a read of a hole says which sub-file it wanted") {
            without(second).open(MissingBytes.ALLOW).use { set ->
                set.defects() shouldBe listOf("/data/$second: this sub-file is missing. Bring it back.")
                shouldThrow<SubFileException> { set.bytes(1000, 100) }.message shouldBe
                    "/data/$second: bytes 0 to 75 of this sub-file are wanted, but 0 of 4096 bytes are there. " +
                    "Read around the holes of the set, or bring the sub-file back."
            }
        }

        test("of a long sub-file the expected bytes are read, if that is allowed") {
            with(second) { it + 1 }.open(MissingBytes.ALLOW).use { it.bytes() shouldBe four.fused }
        }

        test("a set without its stub is read, since its bytes are in the sub-files") {
            without("ckpt.h5").open().use { set ->
                set.bytes() shouldBe four.fused
                set.notes() shouldBe
                    listOf(
                        "/data/ckpt.h5: the stub is not there, without which HDF5 cannot open the set; " +
                            "its bytes are in the sub-files, too.",
                    )
            }
        }

        test("a stub of another set is refused") {
            refusal(with("ckpt.h5") { SetFixture("odd").bytesOf("ckpt.h5") }) shouldBe
                "/data/ckpt.h5: its superblock should be that of /data/${four.subFiles[0]}, but differs. " +
                "It is the stub of another set, or the set was never closed: use another copy."
        }

        test("a cut stub is refused") {
            refusal(with("ckpt.h5") { it.copyOf(100) }) shouldBe
                "/data/ckpt.h5: its superblock should have 112 bytes, but only 100 are there. " +
                "Use another copy."
        }

        test("a set that was never closed has no superblock yet and is refused") {
            refusal(with(four.subFiles[0]) { ByteArray(it.size) }) shouldBe
                "/data/${four.subFiles[0]}: it does not begin as an HDF5 file does. " +
                "Check the name, or use another copy."
        }

        test("a configuration of another set is refused, also where incomplete sets are allowed") {
            for (missing in MissingBytes.entries) {
                val placed =
                    with(four.config) { String(it).replace("stripe_size=1024", "stripe_size=512").toByteArray() }
                shouldThrow<SubFileException> { placed.open(missing) }.message shouldBe
                    "/data/${four.config}: 4 sub-files with stripes of 512 bytes are listed, " +
                    "but the HDF5 file was written with 4 and 1024: " +
                    "the configuration is damaged or of another set. Use the right one."
            }
        }

        test("without its configuration the depth of stripes is unknown, and a set is not opened") {
            shouldThrow<NoSuchFileException> { without(four.config).open() }.file shouldBe "/data/${four.config}"
        }

        test("a renamed configuration still names its sub-files, and the name is noted") {
            val placed = without(four.config)
            placed.store.put(placed.path("saved.txt"), four.bytesOf(four.config))
            SubFileSet.open(placed.store, placed.path("saved.txt"), MissingBytes.REFUSE).use { set ->
                set.bytes() shouldBe four.fused
                set.notes().first() shouldBe
                    "/data/saved.txt: HDF5 looks for a configuration named ${four.config}, and cannot open the set."
            }
        }

        test("a set that was renamed for a new inode is found by the name of its configuration, as by HDF5") {
            val placed = four.placed { _, _ -> null }
            four.members.forEach { file ->
                placed.store.put(placed.path(file.replace("14163971", "1")), four.bytesOf(file))
            }
            SubFileSet.open(placed.store, placed.path("ckpt.h5.subfile_1.config"), MissingBytes.REFUSE).use { set ->
                set.bytes() shouldBe four.fused
                set.notes().first() shouldBe
                    "/data/ckpt.h5.subfile_1.config: it lists sub-files such as ${four.subFiles[0]}, " +
                    "but sub-files are named after their configuration."
            }
        }

        test("sub-files far from their configuration are found where it says") {
            val placed = without(*four.subFiles.toTypedArray())
            placed.store.makeDirectory(Path.of("/scratch"))
            placed.store.makeDirectory(Path.of("/scratch/sf"))
            four.subFiles.forEach { placed.store.put(Path.of("/scratch/sf", it), four.bytesOf(it)) }
            placed.open().use { set ->
                set.bytes() shouldBe four.fused
                set.notes().first() shouldBe
                    "/data/${four.config}: its sub-files are not beside it, and were taken from /scratch/sf, " +
                    "which it names."
            }
        }

        test("a copy is never completed with sub-files of its original") {
            val placed = without(second)
            placed.store.makeDirectory(Path.of("/scratch"))
            placed.store.makeDirectory(Path.of("/scratch/sf"))
            placed.store.put(Path.of("/scratch/sf", second), four.bytesOf(second))
            refusal(placed) shouldBe "/data/$second: this sub-file is missing. Bring it back."
        }

        test("a recorded directory that leads nowhere is no failure of its own") {
            val placed = without(*four.subFiles.toTypedArray())
            placed.store.put(Path.of("/scratch"), byteArrayOf())
            refusal(placed) shouldBe "/data/${four.subFiles[0]}: this sub-file is missing. Bring it back."
        }
    })

/** Byte by byte. */
private fun holesByDefinition(placed: PlacedSet): List<Extent> {
    val four = SetFixture.four
    val sizes =
        four.subFiles.map { file ->
            if (placed.store.exists(placed.path(file))) placed.store.bytesOf(placed.path(file)).size else 0
        }
    val isMissing =
        BooleanArray(four.size.toInt() + 1) { x ->
            x < four.size &&
                x / 4096 * 1024 + x % 1024 >= sizes[x / 1024 % 4]
        }
    val starts = isMissing.indices.filter { isMissing[it] && (it == 0 || !isMissing[it - 1]) }
    return starts.map { start -> Extent(start.toLong(), isMissing.drop(start).indexOf(false).toLong()) }
}
