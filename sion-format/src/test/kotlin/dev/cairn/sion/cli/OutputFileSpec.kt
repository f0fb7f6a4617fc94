package dev.cairn.sion.cli

import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldEndWith
import java.nio.file.Path
import kotlin.io.path.copyTo
import kotlin.io.path.createDirectory
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.readBytes

/** An output that would be a file of the input, whatever its name, is refused without the advice to delete it. */
class OutputFileSpec :
    FunSpec({
        val directory = tempdir().toPath()
        val linked =
            directory
                .resolve(
                    "linked",
                ).createSymbolicLinkPointingTo(directory.resolve("real").createDirectory())
        val names = listOf("x.sion", "x.sion.000001")
        val files =
            names.map { name ->
                bundled("p04-five-two-files.sion${name.removePrefix("x.sion")}").copyTo(directory.resolve("real/$name"))
            }
        val link = directory.resolve("real/y.sion").createSymbolicLinkPointingTo(files[0])
        val memberLink = directory.resolve("real/z.sion").createSymbolicLinkPointingTo(Path.of("x.sion.000001"))
        val before = files.map { it.readBytes().toList() }

        fun refused(input: Path, output: Path) {
            val reason = "$output belongs to the multifile that is read, and is not overwritten: choose another name"
            for (verb in listOf("defrag", "repair", "cat", "map")) {
                val hasOption = verb in listOf("cat", "map")
                val run = if (hasOption) sion(verb, "-o", "$output", "$input") else sion(verb, "$input", "$output")

                run.complaint shouldBe "sion: $reason${if (verb == "repair") ", or take --in-place" else ""}."
                run.exitCode shouldBe 1
                files.map { it.readBytes().toList() } shouldBe before
            }
        }

        test("the input itself, another file of its set, and both through links") {
            for (output in files + listOf(link, memberLink) + names.map(linked::resolve)) refused(files[0], output)
        }

        test("a file whose name is a link to the input") {
            val alone = bundled("s03-five-mixed.sion").copyTo(directory.resolve("real/alone.sion"))
            val name = directory.resolve("name.sion").createSymbolicLinkPointingTo(alone)
            refused(name, alone)
            refused(name, name)
        }

        test("file 0 for a verb that reads another file alone") {
            sion("map", "-o", "${files[0]}", "${files[1]}").complaint shouldEndWith
                " belongs to the multifile that is read, and is not overwritten: choose another name."
        }

        test("a multifile of the same name elsewhere is none of the input") {
            val other = directory.resolve("elsewhere").createDirectory().resolve("x.sion")
            files[0].copyTo(other)
            sion("cat", "-o", "$other", "${files[0]}").complaint shouldBe
                "sion: $other is a multifile and not overwritten. Delete it or choose another name."
            sion("defrag", "${files[0]}", "$other").complaint shouldBe
                "sion: $other: it exists and is not overwritten: delete it, or choose another name."
        }
    })
