package dev.cairn.examples

import dev.cairn.multifile.readMultifile
import dev.cairn.multifile.writeMultifile
import dev.cairn.ranks.ranks
import dev.cairn.sion.MultifileSpec
import java.nio.ByteBuffer
import java.nio.file.Path

// region hello-ranks-kotlin

/** Each rank writes its greeting as its own task. */
internal suspend fun writeGreetingsTogether(path: Path, greetings: List<String>) {
    ranks(greetings.size) {
        writeMultifile(MultifileSpec.parallel(path), chunkSize = 512) { chunks ->
            chunks.append(ByteBuffer.wrap(greetings[rank].encodeToByteArray()))
        }
    }
}

/** However many ranks wrote: rank 0 reads the first task, rank 1 the second one, and so on, in turns. */
internal suspend fun readGreetingsTogether(path: Path, rankCount: Int): List<List<String>> =
    ranks(rankCount) {
        readMultifile(path) { view ->
            (rank until view.taskCount() step size).map { task ->
                view
                    .task(task)
                    .stream()
                    .reader()
                    .readText()
            }
        }
    }

// endregion

internal suspend fun main(args: Array<String>) {
    val path = Path.of(args.firstOrNull() ?: "hello-ranks.sion")
    writeGreetingsTogether(path, List(6) { rank -> "Rank $rank was here." })
    readGreetingsTogether(path, rankCount = 2).forEachIndexed {
        rank,
        found,
        ->
        println("Rank $rank of 2 found $found.")
    }
}
