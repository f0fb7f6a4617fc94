package dev.cairn.sion.subfiles

import dev.cairn.sion.fixture.allocatedBytes
import dev.cairn.sion.store.fixture.withRandom
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.maps.shouldHaveKey
import io.kotest.matchers.shouldBe
import kotlin.random.Random

/** Configurations and superblocks with changed bytes, and cut ones. */
class DamagedSetSpec :
    FunSpec({
        test("every cut of a configuration is refused") {
            for (fixture in SetFixture.all) {
                for (size in fixture.bytesOf(fixture.config).indices) {
                    val placed =
                        fixture.placed { file, bytes ->
                            if (file ==
                                fixture.config
                            ) {
                                bytes.copyOf(size)
                            } else {
                                bytes
                            }
                        }
                    val refusal = shouldThrow<SubFileException> { placed.open() }
                    refusal.file() shouldBe placed.config
                    refusal.message.orEmpty().endsWith(": ${ConfigLines.REMEDY}") shouldBe true
                }
            }
        }

        test("a changed configuration is refused, or changes no byte of the file") {
            withRandom { random ->
                val outcomes = sortedMapOf<String, Int>()
                repeat(2000) {
                    val fixture = SetFixture.all.random(random)
                    outcomes.merge(outcomeOf(fixture, fixture.config, random), 1, Int::plus)
                }
                println("DamagedSetSpec, configurations: $outcomes")
                outcomes.keys shouldContainAll setOf("refused", "read")
            }
        }

        test("a changed superblock is refused, or changes no other byte of the file") {
            withRandom { random ->
                val outcomes = sortedMapOf<String, Int>()
                repeat(2000) {
                    val fixture = SetFixture.all.random(random)
                    val file = listOf("ckpt.h5", fixture.subFiles[0]).random(random)
                    outcomes.merge(outcomeOf(fixture, file, random, 185), 1, Int::plus)
                }
                println("DamagedSetSpec, superblocks: $outcomes")
                outcomes shouldHaveKey "refused"
            }
        }

        test("a superblock that is changed in both places asks for no memory and no endless work") {
            withRandom { random ->
                val outcomes = sortedMapOf<String, Int>()
                repeat(1000) {
                    val fixture = SetFixture.all.random(random)
                    val at = random.nextInt(185)
                    val value = random.nextInt(256).toByte()
                    val placed =
                        fixture.placed { file, bytes ->
                            if (file == "ckpt.h5" ||
                                file == fixture.subFiles[0]
                            ) {
                                bytes.also { it[at] = value }
                            } else {
                                bytes
                            }
                        }
                    outcomes.merge(frugally { partsOf(placed) }, 1, Int::plus)
                    placed.disk.openFiles().shouldBeEmpty()
                }
                println("DamagedSetSpec, both superblocks: $outcomes")
            }
        }

        test("the largest size that a superblock can name is one hole behind the bytes that are there") {
            val four = SetFixture.four
            val placed =
                four.placed { file, bytes ->
                    if (file == "ckpt.h5" || file == four.subFiles[0]) bytes.also { it[0x2f] = 0x7f } else bytes
                }
            placed.open(SubFileSet.MissingBytes.ALLOW).use { set ->
                set.holes().last().end() shouldBe set.size()
                set.holes().toList().size shouldBe 1
                shouldThrow<SubFileException> {
                    SubFileAssembly.run(set, placed.store, placed.path("out.h5")) {}
                }.message shouldBe
                    "${placed.config}: the superblock says that the HDF5 file has ${set.size()} bytes, but every " +
                    "sub-file that is there ends too early, and the last byte is at ${four.size - 1}: the length " +
                    "is damaged. Use another copy of the set."
                placed.store.exists(placed.path("out.h5")) shouldBe false
            }
        }

        test("what a line should be is said") {
            mapOf(
                "stripe_size=1024\n" to "stripe_size=0\n" to "stripe_size should be a number above 0, but is '0'",
                "stripe_size=1024\n" to "stripe_size=999999999999999999\n" to
                    "4 sub-files with stripes of 999999999999999999 bytes are listed, " +
                    "but the HDF5 file was written with 4 and 1024: " +
                    "the configuration is damaged or of another set. Use the right one.",
                "stripe_size=1024\n" to "stripe_size=9999999999999999999\n" to
                    "stripe_size should be a number above 0, but is '9999999999999999999'",
                "subfile_count=4" to "subfile_count=5" to "subfile_count is 5, but 4 sub-files are listed",
                "hdf5_file" to "hdf4_file" to
                    "line 4 should begin with hdf5_file=, but is 'hdf4_file=/scratch/sf/ckpt.h5'",
                "ckpt.h5.subfile_14163971_2_of_4" to "../ckpt.h5.subfile_14163971_2_of_4" to
                    "sub-file 2 should be 'ckpt.h5.subfile_14163971_2_of_4', " +
                    "but '../ckpt.h5.subfile_14163971_2_of_4' is listed",
                "ckpt.h5.subfile_14163971_1_of_4" to "/etc/passwd" to "'/etc/passwd' is not the name of a sub-file",
            ).forEach { (change, sentence) ->
                val four = SetFixture.four
                val placed =
                    four.placed { file, bytes ->
                        if (file ==
                            four.config
                        ) {
                            String(bytes).replaceFirst(change.first, change.second).toByteArray()
                        } else {
                            bytes
                        }
                    }
                val remedy = if (sentence.endsWith(".")) "" else ": ${ConfigLines.REMEDY}"
                shouldThrow<SubFileException> { placed.open() }.message shouldBe "${placed.config}: $sentence$remedy"
            }
        }

        test("a configuration that is no text, or no configuration at all, is refused") {
            val four = SetFixture.four
            val binary = four.placed { file, bytes -> if (file == four.config) four.fused else bytes }
            shouldThrow<SubFileException> { binary.open() }.message shouldBe
                "${binary.config}: a configuration is text in UTF-8, but this file is not: ${ConfigLines.REMEDY}"
            val huge = four.placed()
            huge.store.open(huge.config, dev.cairn.sion.store.Access.READ_WRITE).use { it.resize(1L shl 40) }
            frugally {
                shouldThrow<SubFileException> { huge.open() }.message shouldBe
                    "${huge.config}: a configuration should have 67108864 bytes at most, " +
                    "but this file has 1099511627776. Name the file that ends in .config."
                "refused"
            }
        }
    })

/** Changes some bytes of [file] at [below] at most. */
private fun outcomeOf(fixture: SetFixture, file: String, random: Random, below: Int = Int.MAX_VALUE): String {
    val placed =
        fixture.placed { name, bytes ->
            if (name == file) {
                bytes.also {
                    repeat(random.nextInt(1, 4)) { _ ->
                        it[random.nextInt(minOf(it.size, below))] =
                            random.byte()
                    }
                }
            } else {
                bytes
            }
        }
    val outcome =
        frugally {
            try {
                placed.open().use { set ->
                    val rest = set.bytes().drop(if (file == fixture.config) 0 else 185)
                    check(
                        rest ==
                            fixture.fused.drop(
                                if (file ==
                                    fixture.config
                                ) {
                                    0
                                } else {
                                    185
                                },
                            ),
                    ) { "other bytes were read" }
                }
                "read"
            } catch (refusal: SubFileException) {
                check(refusal.message.orEmpty().startsWith("${refusal.file()}: ")) { "no file in: ${refusal.message}" }
                "refused"
            }
        }
    placed.disk.openFiles().shouldBeEmpty()
    return outcome
}

/** Bytes that stand in configurations are likelier to be believed. */
private fun Random.byte(): Byte = (if (nextBoolean()) "0123456789_=\n./".random(this).code else nextInt(256)).toByte()

/** Looks at the set as far as it is there, with its first holes. */
private fun partsOf(placed: PlacedSet): String =
    try {
        placed.open(SubFileSet.MissingBytes.ALLOW).use { set ->
            set.holes().take(3)
            set.subFiles().forEach { set.holesOf(it).take(3) }
            "looked at"
        }
    } catch (refusal: SubFileException) {
        "refused"
    }

private fun frugally(reading: () -> String): String {
    reading()
    val before = allocatedBytes()
    val outcome = reading()
    val allocated = allocatedBytes() - before
    check(allocated < 1 shl 20) { "$allocated bytes were allocated" }
    return outcome
}
