package dev.cairn.proof.failure

import dev.cairn.runSimulation
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.DiskException
import dev.cairn.sion.store.FileBlockStore
import java.io.IOException
import java.io.PrintStream
import java.nio.ByteBuffer
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.createFile

private val files = FileBlockStore()
private val out = PrintStream(System.out, true, UTF_8)

/** Provokes errors of the operating system below an empty directory, in a process with mounts of its own, and prints what became of them. */
internal suspend fun main(arguments: Array<String>) {
    val place = Path.of(arguments[0])
    val (small, readOnly) = place.resolve("small").createDirectories() to place.resolve("read-only").createDirectories()
    run("mount", "-t", "tmpfs", "-o", "size=1m,nr_inodes=20", "small", "$small")
    run("mount", "-t", "tmpfs", "small", "$readOnly")
    val stored = readOnly.resolve("stored.cairn")
    program(stored)
    run("mount", "-o", "remount,ro", "$readOnly")
    doorFails(place, small, readOnly)
    tell("program in a full directory", "${program(small.resolve("new.cairn"))}")
    tell("program in a read-only directory", "${program(stored)}")
    tell("program at a read-only place", "${program(readOnly.resolve("new.cairn"))}")
    tell("words", wordsOf { write(Path.of("/dev/full"), 1) })
}

private fun doorFails(place: Path, small: Path, readOnly: Path) {
    tell("device", troubleOf { write(Path.of("/dev/full"), 1) })
    tell("full", troubleOf { files.create(small.resolve("full")).use { it.write(0, ByteBuffer.allocate(2 shl 20)) } })
    // There are bytes left, but no inodes.
    files.delete(small.resolve("full"))
    tell("names", troubleOf { repeat(30) { files.create(small.resolve("name$it")).close() } })
    tell("read-only", troubleOf { files.create(readOnly.resolve("new")).close() })
    tell(
        "unreadable",
        troubleOf {
            files.open(Path.of("/proc/self/mem"), Access.READ).use { it.readFully(0, ByteBuffer.allocate(1)) }
        },
    )
    val file = place.resolve("file").createFile()
    tell("below a file", troubleOf { files.create(file.resolve("below")).close() })
    tell("long name", troubleOf { files.create(place.resolve("n".repeat(300))).close() })
}

private fun write(file: Path, count: Int) =
    files.open(file, Access.READ_WRITE).use { it.write(0, ByteBuffer.allocate(count)) }

private suspend fun program(store: Path) =
    runSimulation("real", arrayOf("--dir", "$store")) {
        val v by doubles(rows = 4, columns = 4) { i, j -> 1.0 * i + j }
        for (step in steps(until = 2)) v.data[0]++
    }

private fun tell(name: String, end: String) = out.println("= $name $end")

private fun troubleOf(call: () -> Unit): String =
    failureOf(call).let {
        (it as? DiskException)?.trouble()?.name
            ?: it.javaClass.name
    }

private fun wordsOf(call: () -> Unit): String = failureOf(call).cause?.message.orEmpty()

private fun failureOf(call: () -> Unit): IOException =
    try {
        call()
        error("nothing failed")
    } catch (failure: IOException) {
        failure
    }

private fun run(vararg command: String) =
    check(ProcessBuilder(*command).inheritIO().start().waitFor() == 0) { command.joinToString(" ") }
