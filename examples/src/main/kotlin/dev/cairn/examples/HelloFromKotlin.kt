package dev.cairn.examples

import dev.cairn.sion.Multifile
import dev.cairn.sion.MultifileSpec
import dev.cairn.sion.MultifileWriter
import dev.cairn.sion.TaskRequest
import java.nio.file.Path

// region hello-kotlin

/** One line for each task, into one file and back. */
internal fun writeGreetings(path: Path, greetings: List<String>) {
    val requests = TaskRequest.equal(greetings.size, 512)
    MultifileWriter.create(MultifileSpec.serial(path), requests).use { writer ->
        greetings.forEachIndexed { task, greeting ->
            writer
                .task(task)
                .stream()
                .bufferedWriter()
                .use { it.write(greeting) }
        }
        writer.finish()
    }
}

internal fun readGreetings(path: Path): List<String> =
    Multifile.open(path).use { view ->
        List(view.taskCount()) { task ->
            view
                .task(task)
                .stream()
                .reader()
                .readText()
        }
    }

// endregion

internal fun main(args: Array<String>) {
    val path = Path.of(args.firstOrNull() ?: "hello.sion")
    val greetings = List(4) { task -> "Task $task was here." }
    writeGreetings(path, greetings)
    check(readGreetings(path) == greetings) { "$path: what was read is not what was written" }
    readGreetings(path).forEach(::println)
}
