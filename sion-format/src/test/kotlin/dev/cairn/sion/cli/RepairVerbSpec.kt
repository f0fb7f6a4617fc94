package dev.cairn.sion.cli

import dev.cairn.sion.Multifile
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.deleteExisting
import kotlin.io.path.exists
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

            run.complaint shouldBe "sion: $file exists already: choose another name for the copy."
            run.exitCode shouldBe 1
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
