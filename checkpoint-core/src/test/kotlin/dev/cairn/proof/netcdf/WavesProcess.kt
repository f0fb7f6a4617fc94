package dev.cairn.proof.netcdf

import dev.cairn.proof.kill.EventPipe
import dev.cairn.proof.kill.ReportingStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.file.Path
import kotlin.system.exitProcess

/**
 * [Waves] in processes of their own, with a launcher or without: the file, where cells wait (`memory` or a directory), and then the
 * options. Each operation on files is printed before it takes place.
 */
internal suspend fun main(arguments: Array<String>) {
    val file = Path.of(arguments[0])
    val stage = arguments[1].takeIf { it != "memory" }?.let(Path::of)
    val pipe = EventPipe(pause = null)
    val files = ReportingStore(FileBlockStore(), file.toAbsolutePath().parent, pipe::say)
    exitProcess(Waves(stage = stage).run(file, arguments.drop(2).toTypedArray(), files).number)
}
