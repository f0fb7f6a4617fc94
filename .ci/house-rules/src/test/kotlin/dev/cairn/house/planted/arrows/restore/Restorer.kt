package dev.cairn.house.planted.arrows.restore

import dev.cairn.house.planted.arrows.sion.layout.Extent
import java.nio.channels.FileChannel
import java.nio.file.Path

class Restorer

class RestoreComputesOffsets(val extent: Extent)

class RestoreOpensAFile {
    fun open(file: Path): FileChannel = FileChannel.open(file)
}
