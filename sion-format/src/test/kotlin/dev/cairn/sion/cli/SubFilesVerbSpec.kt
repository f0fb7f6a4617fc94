package dev.cairn.sion.cli

import dev.cairn.command.StandardOutput
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.fixture.bytesOf
import dev.cairn.sion.subfiles.PlacedSet
import dev.cairn.sion.subfiles.SetFixture
import dev.cairn.sion.subfiles.put
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.io.ByteArrayOutputStream
import java.io.IOException
import java.nio.file.Path

/** What `sion subfiles` prints, makes and refuses. */
class SubFilesVerbSpec :
    FunSpec({
        val four = SetFixture.four
        val second = four.subFiles[1]
        val copied =
            "sion: /data/ckpt.h5: the set was copied or restored: the stub's inode is 1, " +
                "the names say 14163971, and HDF5 cannot open it."

        fun PlacedSet.run(vararg arguments: String) = sion("subfiles", *arguments, store = store)

        fun incomplete() = four.placed { file, bytes -> bytes.takeUnless { file == second } }

        listOf("info", "verify", "assemble", "stripe").forEach { verb ->
            test("$verb has a help with an example") {
                val run = sion("subfiles", verb, "--help")

                run.exitCode shouldBe 0
                run.text shouldStartWith "Usage: sion subfiles $verb "
                run.text shouldContain "Example: sion subfiles $verb "
                sion("subfiles", "--help").text shouldContain "\n  $verb "
            }
        }

        test("wrong usage is one sentence and exit code 2") {
            mapOf(
                emptyList<String>() to
                    "sion subfiles: Which verb? info, verify, assemble or stripe. Try 'sion subfiles --help'.",
                listOf("info") to
                    "sion subfiles info: Missing required parameter: 'CONFIG'. Try 'sion subfiles info --help'.",
                listOf("stripe", "--depth", "0", "x", "y") to
                    "sion subfiles stripe: --depth takes 1 to 9223372036854775807, but not 0. " +
                    "Try 'sion subfiles stripe --help'.",
                listOf("stripe", "--subfiles", "65537", "x", "y") to
                    "sion subfiles stripe: --subfiles takes 1 to 65536, but not 65537. " +
                    "Try 'sion subfiles stripe --help'.",
            ).forEach { (arguments, sentence) ->
                val run = sion("subfiles", *arguments.toTypedArray())

                run.complaint shouldBe sentence
                run.exitCode shouldBe 2
            }
        }

        test("a missing configuration is one sentence and exit code 1") {
            val placed = four.placed()
            listOf("info", "verify", "assemble").forEach { verb ->
                val out = if (verb == "assemble") arrayOf("/data/out.h5") else emptyArray()
                val run = placed.run(verb, "/data/none.config", *out)

                run.complaint shouldBe "sion: /data/none.config: there is no such file. Check the name."
                run.exitCode shouldBe 1
            }
        }

        test("a good set is verified, and what is unusual is said") {
            val placed = four.placed()
            val run = placed.run("verify", "${placed.config}")

            run.text shouldBe "${placed.config}: good; sub-files 4, stripe size 1024, bytes 16448\n"
            run.complaint shouldBe copied
            run.exitCode shouldBe 0
        }

        test("every defect of a set that is not good is said, and other sets are verified all the same") {
            val placed =
                four.placed { file, bytes ->
                    if (file ==
                        second
                    ) {
                        null
                    } else if (file == four.subFiles[2]) {
                        bytes + 1
                    } else {
                        bytes
                    }
                }
            val run = placed.run("verify", "${placed.config}", "/data/none", "${placed.config}")

            run.complaint.lines().distinct() shouldBe
                listOf(
                    "sion: /data/$second: this sub-file is missing. Bring it back.",
                    "sion: /data/${four.subFiles[2]}: this sub-file should have 4096 bytes, but has 4097. " +
                        "It is of another set, or the set was never closed: use another copy.",
                    "sion: /data/none: there is no such file. Check the name.",
                )
            run.text shouldBe ""
            run.exitCode shouldBe 1
        }

        test("a disk that fails to give back the bytes makes a set bad") {
            val placed = four.placed()
            val broken =
                object : ForwardingStore(placed.store) {
                    override fun onOperation(operation: BlockStore.Operation) {
                        val isInSecond =
                            operation.path().endsWith(second) && operation.kind() == BlockStore.Operation.Kind.READ
                        if (isInSecond && operation.length() > 2048) throw IOException("input/output error")
                    }
                }
            val run = sion("subfiles", "verify", "${placed.config}", store = broken)

            run.complaint shouldBe "sion: /data/$second: input/output error."
            run.exitCode shouldBe 1
        }

        test("a line that cannot be written ends the verification, and says nothing about a set") {
            val placed = four.placed()
            val full = StandardOutput(failing("No space left on device"))
            val err = ByteArrayOutputStream()
            val config = "${placed.config}"

            sion(placed.store, full, err, "subfiles", "verify", config, config) shouldBe 1
            "$err" shouldBe "$copied\nsion: standard output: No space left on device.\n"
        }

        test("a set is assembled") {
            val placed = four.placed()
            val run = placed.run("assemble", "${placed.config}", "/data/out.h5")

            run.complaint shouldBe copied
            run.exitCode shouldBe 0
            placed.store.bytesOf(Path.of("/data/out.h5")) shouldBe four.fused
        }

        test("an incomplete set is refused, or assembled with its holes named") {
            val placed = incomplete()
            val refused = placed.run("assemble", "${placed.config}", "/data/out.h5")
            refused.complaint shouldBe "sion: /data/$second: this sub-file is missing. Bring it back."
            refused.exitCode shouldBe 1
            placed.store.exists(Path.of("/data/out.h5")) shouldBe false

            val allowed = placed.run("assemble", "--allow-missing", "${placed.config}", "/data/out.h5")
            allowed.complaint.lines() shouldBe
                listOf(
                    copied,
                    "sion: /data/$second: this sub-file is missing. Bring it back.",
                    "sion: /data/out.h5: bytes that are missing were filled with zeros: " +
                        "1024 to 2047, 5120 to 6143, 9216 to 10239, 13312 to 14335.",
                )
            allowed.exitCode shouldBe 0
        }

        test("of many holes the first ones are named, and where the others are") {
            val seven = SetFixture.seven
            val odd = seven.subFiles.filterIndexed { number, _ -> number % 2 == 1 }
            val placed = seven.placed { file, bytes -> bytes.takeUnless { file in odd } }
            val run = placed.run("assemble", "--allow-missing", "${placed.config}", "/data/out.h5")

            run.complaint.lines().last() shouldBe
                "sion: /data/out.h5: bytes that are missing were filled with zeros: 512 to 1023, 1536 to 2047, " +
                "2560 to 3071, 4096 to 4607, 5120 to 5631, 6144 to 6655, 7680 to 8191, 8704 to 9215, 9728 to 10239, " +
                "11264 to 11775, 12288 to 12799, 13312 to 13823, and more, " +
                "which 'sion subfiles info --json --allow-missing ${placed.config}' lists."
        }

        test("nothing is overwritten") {
            val placed = four.placed()
            val run = placed.run("assemble", "${placed.config}", "/data/ckpt.h5")

            run.complaint shouldBe
                "sion: /data/ckpt.h5: it exists and is not overwritten: delete it, or choose another name."
            run.exitCode shouldBe 1
            placed.store.bytesOf(Path.of("/data/ckpt.h5")) shouldBe four.bytesOf("ckpt.h5")
        }

        test("info prints what a set consists of") {
            val placed = four.placed()
            val run = placed.run("info", "${placed.config}")

            run.text shouldBe
                """
                HDF5 file: 16448 bytes
                stripe size: 1024 bytes
                sub-files: 4
                concentrators: 1
                stub when written: /scratch/sf/ckpt.h5
                directory when written: /scratch/sf
                sub-file 1: /data/ckpt.h5.subfile_14163971_1_of_4: 4160 bytes
                sub-file 2: /data/ckpt.h5.subfile_14163971_2_of_4: 4096 bytes
                sub-file 3: /data/ckpt.h5.subfile_14163971_3_of_4: 4096 bytes
                sub-file 4: /data/ckpt.h5.subfile_14163971_4_of_4: 4096 bytes
                note: ${copied.removePrefix("sion: ")}

                """.trimIndent()
            run.exitCode shouldBe 0
        }

        test("info of an incomplete set fails, unless that is allowed") {
            val placed = incomplete()
            val run = placed.run("info", "${placed.config}")

            run.text shouldContain "sub-file 2: /data/$second: missing, should have 4096 bytes\n"
            run.text shouldContain "defect: /data/$second: this sub-file is missing. Bring it back.\n"
            run.exitCode shouldBe 1
            val allowed = placed.run("info", "--allow-missing", "${placed.config}")
            allowed.exitCode shouldBe 0
            allowed.text shouldBe run.text
        }

        test("info prints the same as JSON, with all holes") {
            val placed = incomplete()
            val run = placed.run("info", "--json", "${placed.config}")
            val json = Json.parseToJsonElement(run.text).jsonObject

            json.keys shouldContainExactly
                setOf("config", "stripeSize", "aggregatorCount", "hdf5File", "subFileDirectory", "size") +
                setOf("subFiles", "holes", "defects", "notes")
            json.getValue("size").jsonPrimitive.int shouldBe 16448
            json.getValue("subFiles").jsonArray.map { "size" in it.jsonObject } shouldBe listOf(true, false, true, true)
            json.getValue("holes").jsonArray.map {
                it.jsonObject
                    .getValue("offset")
                    .jsonPrimitive.int
            } shouldBe
                listOf(1024, 5120, 9216, 13312)
            json.getValue("defects").jsonArray.map { it.jsonPrimitive.content } shouldBe
                listOf("/data/$second: this sub-file is missing. Bring it back.")
            run.exitCode shouldBe 1
        }

        test("a file is striped as it says itself, and the configuration's name is printed") {
            val placed = four.placed { _, _ -> null }
            placed.store.put(Path.of("/one.h5"), four.fused)
            val run = placed.run("stripe", "/one.h5", "/data")

            run.text shouldBe "/data/one.h5.subfile_2.config\n"
            run.complaint shouldBe ""
            run.exitCode shouldBe 0
            val verified = placed.run("verify", "/data/one.h5.subfile_2.config")
            verified.text shouldBe "/data/one.h5.subfile_2.config: good; sub-files 4, stripe size 1024, bytes 16448\n"
            verified.complaint shouldBe ""
        }

        test("a file that HDF5 wrote in another way needs both options") {
            val placed = four.placed { _, _ -> null }
            placed.store.put(Path.of("/plain.h5"), four.fused.also { it.fill(-1, 0x30, 0x38) })
            val refused = placed.run("stripe", "--depth", "512", "/plain.h5", "/data")

            refused.complaint shouldBe
                "sion: /plain.h5: HDF5 did not write it through its sub-filing driver: give --depth and --subfiles."
            refused.exitCode shouldBe 1
            placed.run("stripe", "--depth", "512", "--subfiles", "3", "/plain.h5", "/data").exitCode shouldBe 0
        }

        test("options that contradict the file are refused, and nothing is made") {
            val placed = four.placed { _, _ -> null }
            placed.store.put(Path.of("/one.h5"), four.fused)
            val run = placed.run("stripe", "--subfiles", "3", "/one.h5", "/data")

            run.complaint shouldBe
                "sion: /one.h5: HDF5 wrote it for 4 sub-files with stripes of 1024 bytes and opens no other set of " +
                "it, but 3 with 1024 are wanted. Leave the choice to the file."
            run.exitCode shouldBe 1
            placed.store.list(Path.of("/data")).shouldBeEmpty()
        }

        test("a directory that does not exist is not made") {
            val placed = four.placed { _, _ -> null }
            placed.store.put(Path.of("/one.h5"), four.fused)
            placed.run("stripe", "/one.h5", "/none").complaint shouldBe
                "sion: /none/one.h5: its directory does not exist. Make it first."
        }
    })
