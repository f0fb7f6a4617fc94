package dev.cairn.heap

import java.io.IOException
import java.nio.file.Path

/** The file [path] is no heap dump, or a damaged one: what was found at the byte [position] is a [flaw]. */
internal class UnreadableDump(path: Path, position: Long, flaw: String) :
    IOException("$path cannot be read as a heap dump of HotSpot: $flaw (byte $position). Let the JVM write it again.")
