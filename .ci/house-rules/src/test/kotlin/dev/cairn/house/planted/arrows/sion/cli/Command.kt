package dev.cairn.house.planted.arrows.sion.cli

import dev.cairn.house.planted.arrows.sion.Multifile
import java.io.FileDescriptor
import java.io.FileOutputStream

class Command {
    fun allowed(multifile: Multifile) = FileOutputStream(FileDescriptor.out).to(multifile)
}
