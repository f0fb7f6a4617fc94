package dev.cairn.run

import dev.cairn.event.ExitCode
import dev.cairn.proof.log.printedBy
import dev.cairn.runSimulation
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectory
import kotlin.io.path.createFile
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.listDirectoryEntries

/** A file that a program, or Cairn, would use for two purposes is refused before anything is made. */
class FilesApartSpec :
    FunSpec({
        val parent = tempdir().toPath()
        var count = 0

        fun newDirectory() = parent.resolve("run${count++}").createDirectory()

        suspend fun refusal(
            store: Path,
            vararg outputs: Path,
            netcdf: Path? = null,
            staged: Path? = null,
            options: List<String> = emptyList(),
        ) = printedBy {
            runSimulation("apart", arrayOf("--dir", "$store", *options.toTypedArray())) {
                val logs = outputs.mapIndexed { number, file -> output(file).named("log$number").value }
                val field =
                    netcdf?.let { file ->
                        netcdf(file) {
                            stage = staged
                            variable("v") { 1.0 }
                        }.named("field").value
                    }
                for (step in steps(until = 1)) {
                    logs.forEach { it.line("$step") }
                    field?.append()
                }
            } shouldBe ExitCode.REFUSED
        }

        test("the files that ask a program for something are no outputs") {
            val directory = newDirectory()
            val store = directory.resolve("5.cairn")
            val own = "which is for Cairn's own files of the checkpoints in $store: name another one"
            val (save, stop) = listOf("save", "stop").map { directory.resolve("5.cairn.$it") }
            for (file in listOf(save, stop, store.resolve("requests/save"))) {
                refusal(store, file) shouldContain "the output 'log0' is $file, $own"
            }
            refusal(store, netcdf = stop) shouldContain "the output 'field' is $stop, $own"
            refusal(store, netcdf = directory.resolve("v.nc"), staged = save) shouldContain
                "the stage of the output 'field' is $save, $own"
            refusal(store, options = listOf("--events", "$save")) shouldContain "events is $save, $own"
            directory.listDirectoryEntries().shouldBeEmpty()
        }

        test("a file of the store is one by whatever link a path leads there") {
            val directory = newDirectory()
            val store = directory.resolve("5.cairn").createDirectory()
            val link = directory.resolve("5l").createSymbolicLinkPointingTo(Path.of("5.cairn"))
            refusal(store, link.resolve("lock")) shouldContain "the output 'log0' is $link/lock, which is for Cairn's"
            refusal(link, store.resolve("lock")) shouldContain "the output 'log0' is $store/lock, which is for Cairn's"
            refusal(link, directory.resolve("5l.stop")) shouldContain "the output 'log0' is $link.stop, which is for"
            val far = directory.resolve("far").createSymbolicLinkPointingTo(store.resolve("000001/log"))
            refusal(store, far) shouldContain "the output 'log0' is $far, which is for Cairn's"
            store.listDirectoryEntries().shouldBeEmpty()
        }

        test("two outputs of one file are refused, by whatever link they lead there") {
            val directory = newDirectory()
            val file = directory.resolve("a")
            val link = directory.resolve("b").createSymbolicLinkPointingTo(Path.of("a"))
            val same =
                "the output 'log0' and the output 'log1' are the same file, $file: name another one for one of them"
            refusal(directory.resolve("5.cairn"), file, link) shouldContain same
            file.createFile()
            refusal(directory.resolve("5.cairn"), file, link) shouldContain same
            refusal(directory.resolve("5.cairn"), link, netcdf = file) shouldContain
                "the output 'log0' and the output 'field' are the same file, $link: name another one for one of them"
            refusal(directory.resolve("5.cairn"), file, options = listOf("--events", "$link")) shouldContain
                "events and the output 'log0' are the same file, $link: name another one for one of them"
            Files.size(file) shouldBe 0
        }

        test("the lock file of an output is no other output") {
            val directory = newDirectory()
            val (file, lock) = listOf("x", "x.lock").map(directory::resolve)
            val store = directory.resolve("5.cairn")
            val named = "is $lock, which is the lock file of the output"
            refusal(store, file, lock) shouldContain "the output 'log1' $named 'log0': name another one"
            refusal(store, lock, file) shouldContain "the output 'log0' $named 'log1': name another one"
            refusal(store, lock, netcdf = file) shouldContain "the output 'log0' $named 'field': name another one"
            refusal(store, file, options = listOf("--events", "$lock")) shouldContain
                "events $named 'log0': name another one"
            directory.listDirectoryEntries().shouldBeEmpty()
        }

        test("a name under which an output is kept is no other output") {
            val directory = newDirectory()
            val file = directory.resolve("x")
            for (kept in listOf("x.1", "x.save-9").map(directory::resolve)) {
                val named = "is $kept, a name under which Cairn keeps the output"
                refusal(directory.resolve("5.cairn"), file, kept) shouldContain
                    "the output 'log1' $named 'log0': name another"
                refusal(directory.resolve("5.cairn"), kept, file) shouldContain
                    "the output 'log0' $named 'log1': name another"
            }
            directory.listDirectoryEntries().shouldBeEmpty()
        }
    })
