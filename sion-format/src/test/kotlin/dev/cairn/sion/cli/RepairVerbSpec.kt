package dev.cairn.sion.cli

import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import dev.cairn.sion.store.BlockStore
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldEndWith
import io.kotest.matchers.string.shouldMatch
import io.kotest.matchers.string.shouldStartWith
import java.io.IOException
import java.nio.file.FileSystems
import java.nio.file.Path
import java.nio.file.StandardWatchEventKinds
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectory
import kotlin.io.path.deleteExisting
import kotlin.io.path.exists
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes

class RepairVerbSpec :
    FunSpec({
        val directory = tempdir().toPath()

        fun broken(name: String): Path =
            directory.resolve(name).also { bundled("x01-never-closed.sion").copyTo(it, overwrite = true) }

        fun set(name: String): Path =
            directory.resolve(name).also {
                bundled("p05-local-comms.sion").copyTo(it)
                bundled("p05-local-comms.sion.000001").copyTo(it.resolveSibling("$name.000001"))
            }

        fun sizes(path: Path) = Multifile.open(path).use { view -> List(view.taskCount()) { view.task(it).size() } }

        test("without OUT it only tells what it found, and fails") {
            val file = broken("told.sion")
            val before = file.readBytes()
            val run = sion("repair", file.toString())

            run.exitCode shouldBe 1
            run.text shouldBe
                "not closed: $file: start_of_varheader at byte 1128 is 0 or missing: the writer never closed this " +
                "multifile, so the lengths of its tasks are unknown. Use an older one.\n" +
                "task 0 (global rank 0): 1024 bytes\n" +
                "task 1 (global rank 1): 100 to 512 bytes\n" +
                "task 2 (global rank 2): 300 to 512 bytes\n"
            run.complaint shouldBe
                "sion: $file is broken and was not changed. Give OUT for a repaired copy, or --in-place."
            file.readBytes() shouldBe before
        }

        test("where lengths are not sure the user must choose") {
            val file = broken("choose.sion")
            val copy = directory.resolve("choose-copy.sion")
            sion("repair", file.toString(), copy.toString()).complaint shouldBe
                "sion: the lengths of some tasks of $file are not sure: choose with --lengths nonzero or chunk."
            sion("repair", "--lengths", "records", file.toString(), copy.toString()).complaint shouldBe
                "sion: --lengths records is not for $file, whose tasks hold plain bytes: take nonzero or chunk."
            copy.exists() shouldBe false
        }

        mapOf("nonzero" to listOf(1024L, 100L, 300L), "chunk" to listOf(1024L, 512L, 512L)).forEach { (choice, sizes) ->
            test("a copy with --lengths $choice is a good multifile, and the original is as it was") {
                val file = broken("$choice.sion")
                val before = file.readBytes()
                val copy = directory.resolve("$choice-copy.sion")
                val run = sion("repair", "--lengths", choice, file.toString(), copy.toString())

                run.exitCode shouldBe 0
                run.text shouldContain "\n$copy: repaired\n"
                sizes(copy) shouldBe sizes
                file.readBytes() shouldBe before
            }
        }

        test("in place nothing changes but the tail, and what is behind the end") {
            val file = broken("in-place.sion")
            val before = file.readBytes()
            sion("repair", "--lengths", "nonzero", "--in-place", file.toString()).exitCode shouldBe 0

            sizes(file) shouldBe listOf(1024L, 100L, 300L)
            val after = file.readBytes().copyOf(before.size)
            before.indices.filter { before[it] != after[it] }.all { it in 1124 until 1136 } shouldBe true
            sion("repair", file.toString()).text shouldBe "$file: good; there is nothing to repair\n"
        }

        test("a copy never takes the place of a file") {
            val file = broken("kept.sion")
            val run = sion("repair", "--lengths", "chunk", file.toString(), file.toString())

            run.complaint shouldBe
                "sion: $file belongs to the multifile that is read, and is not overwritten: choose another name, or take --in-place."
            run.exitCode shouldBe 1
            val other = broken("other.sion")
            sion("repair", "--lengths", "chunk", file.toString(), other.toString()).complaint shouldBe
                "sion: $other: it exists and is not overwritten: delete it, or choose another name."
        }

        test("of a good multifile OUT is a copy") {
            val file = set("good.sion")
            val copy = directory.resolve("good-copy.sion")
            val run = sion("repair", file.toString(), copy.toString())

            run.exitCode shouldBe 0
            run.text shouldBe "$file: good; there is nothing to repair, and $copy is a copy of it\n"
            for (suffix in listOf("", ".000001")) {
                Path.of("$copy$suffix").readBytes() shouldBe Path.of("$file$suffix").readBytes()
            }
        }

        test("when a write fails, nothing of the copy is left, neither in the first file nor in the second") {
            for (failing in 1..2) {
                val parts = directory.resolve("full-$failing").createDirectory()
                val file = set("full-$failing.sion")
                var writes = 0
                val full =
                    OnOperation {
                        if (it.kind() == BlockStore.Operation.Kind.WRITE &&
                            ++writes == failing
                        ) {
                            throw IOException("the disk is full")
                        }
                    }
                val run = sion("repair", file.toString(), "$parts/x.sion", store = full)

                run.complaint shouldMatch Regex("sion: $parts/x\\.sion(\\.000001)?\\.part: the disk is full\\.")
                run.exitCode shouldBe 1
                parts.listDirectoryEntries() shouldBe emptyList<Path>()
            }
        }

        test("until the copy is whole its files have other names") {
            val file = set("parts.sion")
            val copy = directory.resolve("parts-copy.sion")
            val watching =
                OnOperation {
                    if (it.kind() == BlockStore.Operation.Kind.WRITE) "${it.path()}" shouldEndWith ".part"
                }
            sion("repair", file.toString(), copy.toString(), store = watching).exitCode shouldBe 0
            sizes(copy) shouldBe sizes(file)
        }

        test("a process that is interrupted in the midst of a copy says what it leaves") {
            val file = directory.resolve("hole.sion")
            MultifileWriter.create(MultifileSpec.serial(file).withBlockSize(512), TaskRequest.equal(1, 1L shl 38)).use {
                it.finish()
            }
            val copy = directory.resolve("hole-copy.sion")
            FileSystems.getDefault().newWatchService().use { changes ->
                directory.register(changes, StandardWatchEventKinds.ENTRY_CREATE)
                val process =
                    ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.cairn.sion.cli.SionCommand",
                        "repair",
                        file.toString(),
                        copy.toString(),
                    ).start()
                while (!Path.of("$copy.part").exists()) changes.take().apply { pollEvents() }.reset()
                process.toHandle().destroy()

                process.errorReader().readText() shouldBe
                    "sion: interrupted: $copy was not made, and what there is of it has names that end in .part: " +
                    "delete $copy*.part.\n"
                process.waitFor() shouldBe 143
            }
        }

        test("the tasks that are there become a new multifile, on request") {
            val file = set("left.sion")
            file.resolveSibling("left.sion.000001").deleteExisting()
            val copy = directory.resolve("left-copy.sion")
            sion("repair", "--available", file.toString()).complaint shouldBe
                "sion: --available makes a new multifile: name OUT."
            val run = sion("repair", "--available", file.toString(), copy.toString())

            run.exitCode shouldBe 0
            run.text shouldEndWith "\n$copy: holds 2 of 5 tasks, those that are there: 0, 2\n"
            Multifile.open(copy).use { view ->
                List(view.taskCount()) { view.task(it).globalRank() to view.task(it).size() } shouldBe
                    listOf(0L to 500L, 2L to 1400L)
            }
        }

        test("a set that lacks a file is told of, by every verb that looks, and not repaired") {
            val file = set("set.sion")
            file.resolveSibling("set.sion.000001").deleteExisting()
            val left =
                "sion: $file: tasks that are there: 0, 2; there, but of unknown length: none; " +
                    "not there: 1, 3, 4; missing physical files: 1."
            sion("verify", file.toString()).complaint shouldContain left
            sion("dump", file.toString()).complaint shouldContain left
            val run = sion("repair", "--in-place", file.toString())

            run.text shouldStartWith "missing physical files: 1\ntask 0 (global rank 0): 500 bytes\ntask 1: not there\n"
            run.complaint shouldContain "of which this is number 1, counted from 0. Copy it beside the others."
            run.exitCode shouldBe 1
        }

        test("a member whose tail is gone is closed again, whatever is chosen") {
            val file = set("tail.sion")
            val expected = sizes(file)
            val member = file.resolveSibling("tail.sion.000001")
            val whole = member.readBytes()
            val broken = whole.clone().also { it.fill(0, 1124, 1136) }
            member.writeBytes(broken)
            sion("repair", "--in-place", file.toString()).exitCode shouldBe 0

            sizes(file) shouldBe expected
            member.readBytes() shouldBe whole
        }
    })
