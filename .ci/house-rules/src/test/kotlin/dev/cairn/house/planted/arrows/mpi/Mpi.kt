package dev.cairn.house.planted.arrows.mpi

import dev.cairn.house.planted.arrows.restore.Restorer
import java.io.File

class MpiKnowsRestore(val restorer: Restorer)

class MpiOpensAFile {
    fun length(file: File): Long = file.length()
}
