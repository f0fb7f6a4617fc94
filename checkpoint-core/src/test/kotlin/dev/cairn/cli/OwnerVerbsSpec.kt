package dev.cairn.cli

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.event.CheckpointException
import dev.cairn.event.CheckpointException.Reason
import dev.cairn.event.shouldThrowFor
import dev.cairn.sion.store.Access
import dev.cairn.store.Owner
import dev.cairn.store.OwnerFile
import dev.cairn.store.OwnerNote
import dev.cairn.store.name
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import io.kotest.matchers.shouldNotBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import io.kotest.matchers.types.shouldBeInstanceOf
import java.nio.ByteBuffer
import java.nio.file.Path
import java.time.Instant

/** The verbs that change something: `pin`, `unpin`, `rm` and `adopt`. */
class OwnerVerbsSpec :
    FunSpec({
        suspend fun three() = HeatCheckpoints().apply { for (step in 1L..3) save(rankCount = 2, step = step) }

        fun HeatCheckpoints.names() = files.list(HEAT).map { it.name }.filter { it.startsWith("0") }

        test("a pinned checkpoint cannot be deleted until it is unpinned") {
            val heat = three()

            heat.cairn("pin", "heat.cairn", "2").text shouldBe "heat.cairn/000002: pinned\n"
            heat.cairn("rm", "heat.cairn", "2").run {
                exitCode shouldBe 3
                complaint shouldBe "cairn: heat.cairn/000002 is pinned and was not deleted. Unpin it first."
            }
            heat.names() shouldBe listOf("000001", "000002", "000003")
            heat.cairn("unpin", "heat.cairn", "2").text shouldBe "heat.cairn/000002: no longer pinned\n"
            heat.cairn("rm", "heat.cairn", "2").text shouldBe "heat.cairn/000002: deleted\n"
            heat.names() shouldBe listOf("000001", "000003")
        }

        test("without a number the newest good one is pinned, and nothing is deleted") {
            val heat = three()
            heat.cairn("pin", "heat.cairn").text shouldBe "heat.cairn/000003: pinned\n"
            heat.cairn("rm", "heat.cairn").run {
                exitCode shouldBe 2
                complaint shouldBe "cairn: heat.cairn: choose a checkpoint: heat.cairn/NUMBER."
            }
            heat.names() shouldBe listOf("000001", "000002", "000003")
        }

        test("a directory is not taken from a killed program for a change that is not possible") {
            val heat = three()
            val now = Instant.parse("2025-01-31T12:00:00Z")
            OwnerFile(heat.files, HEAT).place(Owner("killed", Owner.here(now).host, 999_999_999, now)).close()
            heat.files.open(HEAT.resolve("000002/data.sion"), Access.READ_WRITE).use { it.resize(it.size() - 1) }
            heat.cairn("adopt", "heat.cairn/2").run {
                exitCode shouldBe 1
                complaint shouldNotContain "took the store over"
            }
            heat.cairn("rm", "heat.cairn", "9").complaint shouldNotContain "took the store over"
            OwnerFile(heat.files, HEAT)
                .read()
                .shouldBeInstanceOf<OwnerNote.Known>()
                .owner.identity shouldBe "killed"
        }

        test("the newest checkpoint is said to be deleted after it was") {
            val heat = three()
            heat.cairn("rm", "heat.cairn", "3").exitCode shouldBe 0
            heat.names() shouldBe listOf("000001", "000002", "000003")
            heat.cairn("ls", "heat.cairn").lines[3] shouldMatch " +3 +deleted"
            heat.cairn("explain", "heat.cairn").lines.first() shouldBe "save 3: no checkpoint, since it was deleted"
            heat.cairn("verify", "heat.cairn/3").complaint shouldBe
                "cairn: heat.cairn/000003 is no checkpoint: it was deleted."
            heat.save(rankCount = 2, step = 4)
            heat.names() shouldBe listOf("000001", "000002", "000004")
        }

        test("nothing is changed while a program owns the directory") {
            val heat = three()
            heat.own().use {
                for (verb in listOf("pin", "unpin", "rm")) {
                    heat.cairn(verb, "heat.cairn", "1", "--wait", "0").run {
                        exitCode shouldBe 3
                        complaint shouldStartWith
                            "cairn: heat.cairn belongs to process ${ProcessHandle.current().pid()} on "
                        complaint shouldEndWith
                            ", which did not answer the request within 0s, so nothing was changed. A simulation " +
                            "answers between two of its steps, when no save is under way: try again with a longer " +
                            "--wait. A program with a loop of its own answers in saveIfDue; if it does not call " +
                            "that, try again after it has ended."
                    }
                }
                heat.files.list(HEAT.resolve("requests")) shouldBe emptyList()
                heat.cairn("adopt", "heat.cairn/1").exitCode shouldBe 3
                heat.cairn("ls", "heat.cairn").exitCode shouldBe 0
            }
            heat.names() shouldBe listOf("000001", "000002", "000003")
        }

        test("a directory that is none of checkpoints stays as it is, and so does a file") {
            val heat = three()
            val empty = Path.of("empty")
            heat.files.makeDirectory(empty)
            heat.files.makeDirectory(empty.resolve("000003"))
            heat.files.create(Path.of("file")).close()
            for (command in listOf("rm", "pin", "unpin", "adopt", "recover")) {
                for (place in listOf("empty/2", "empty/3", "file/3", "none/3", "none")) {
                    val run = heat.cairn(command, place)
                    withClue("$command $place: ${run.complaint}") { run.exitCode shouldBe 3 }
                }
            }
            heat.files.list(empty).map { it.name } shouldBe listOf("000003")
            heat.cairn("save", "file").complaint shouldBe "cairn: file: it is not a directory. Check the name."
            heat.cairn("unpin", "none").complaint shouldBe "cairn: none: there is no such directory. Check the name."
        }

        test("nothing is taken from a living program for a change that fails") {
            val heat = three()
            heat.cairn("pin", "heat.cairn", "2")
            heat.damage(3, cell(5))
            heat.own().use { owner ->
                for (command in listOf("rm 999", "pin 999", "unpin 999", "rm 2", "adopt 999", "adopt 3", "recover 1")) {
                    val (verb, number) = command.split(' ')
                    val place =
                        if (verb in
                            setOf("adopt", "recover")
                        ) {
                            listOf("heat.cairn/$number")
                        } else {
                            listOf("heat.cairn", number)
                        }
                    val run = heat.cairn(verb, "--take-over", *place.toTypedArray())
                    withClue("$command: ${run.complaint}") {
                        run.exitCode shouldNotBe 0
                        run.complaint shouldNotContain "took the store over"
                    }
                    owner.requireHeld()
                }
                heat.cairn("rm", "--take-over", "heat.cairn", "999").run {
                    exitCode shouldBe 3
                    complaint shouldBe
                        "cairn: heat.cairn: there is no save 999. 'cairn ls heat.cairn' lists the existing ones."
                }
                heat.cairn("rm", "--take-over", "nowhere.cairn", "1").exitCode shouldBe 3
                heat.files.exists(Path.of("nowhere.cairn")) shouldBe false

                heat.cairn("rm", "--take-over", "heat.cairn", "1").exitCode shouldBe 0
                shouldThrowFor<CheckpointException.InUse>(Reason.TAKEN_OVER) { owner.requireHeld() }
            }
        }

        test("a directory whose program was killed on this machine is taken over at once") {
            val heat = three()
            val note = HEAT.resolve("owner.json")
            val left = heat.own().use { heat.read(note) }
            heat.files.create(note).use { it.write(0, left) }

            heat.cairn("pin", "heat.cairn", "1").run {
                exitCode shouldBe 0
                complaint shouldContain "took the store over from process"
            }
        }

        test("adopt takes back data that were rewritten, and notes how many files they are now") {
            val heat = HeatCheckpoints().apply { save(4, step = 1, fileCount = 2) }
            val one = HeatCheckpoints(heat.files).apply { save(4, step = 1, directory = Path.of("one.cairn")) }
            val data = HEAT.resolve("000001/data.sion")
            heat.files.delete(HEAT.resolve("000001/data.sion.000001"))
            heat.files.delete(data)
            heat.files.create(data).use { it.write(0, one.read(Path.of("one.cairn/000001/data.sion"))) }

            val run = heat.cairn("adopt", "heat.cairn/1")
            run.text shouldBe "heat.cairn/000001: good, and bound to 1 file\n"
            run.exitCode shouldBe 0
            val store = checkpointStore(heat.files, HEAT)
            val manifest = store.read(store.survey().saves.single()).manifest
            manifest.hints.fileCount shouldBe 1
            manifest.step shouldBe 1
            heat.cairn("verify", "heat.cairn").exitCode shouldBe 0
        }

        test("adopt leaves alone what does not verify") {
            val heat = three()
            val manifest = HEAT.resolve("000002/manifest.json")
            val before = heat.read(manifest)
            heat.damage(2, cell(5))

            heat.cairn("adopt", "heat.cairn/2").run {
                exitCode shouldBe 1
                complaint shouldContain "frame 0 of 'u' of rank 0 should have the CRC32C"
            }
            heat.read(manifest) shouldBe before
            heat.cairn("adopt", "heat.cairn").complaint shouldBe
                "cairn: heat.cairn: choose a checkpoint: heat.cairn/NUMBER."
        }
    })

/** Changes one byte of the first save's data. */
internal fun HeatCheckpoints.overwrite(at: Int, byte: Byte) =
    files.open(HEAT.resolve("000001/data.sion"), Access.READ_WRITE).use {
        it.write(at.toLong(), ByteBuffer.wrap(byteArrayOf(byte)))
    }
