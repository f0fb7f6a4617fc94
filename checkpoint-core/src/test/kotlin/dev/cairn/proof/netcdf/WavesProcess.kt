package dev.cairn.proof.netcdf

import dev.cairn.proof.kill.EventPipe
import dev.cairn.proof.kill.ReportingStore
import dev.cairn.sion.store.FileBlockStore
import java.nio.file.Path
import kotlin.system.exitProcess

/**
 * [Waves] in processes of their own, with a launcher or without: the file, and then the options. Each operation on files is printed
 * before it takes place.
 */
internal suspend fun main(arguments: Array<String>) {
    val file = Path.of(arguments.first())
    val pipe = EventPipe(pause = 0)
    val files = ReportingStore(FileBlockStore(), file.toAbsolutePath().parent, pipe::say)
    exitProcess(Waves().run(file, arguments.drop(1).toTypedArray(), files).number)
}
