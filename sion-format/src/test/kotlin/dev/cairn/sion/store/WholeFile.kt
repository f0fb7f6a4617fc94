package dev.cairn.sion.store

import java.nio.ByteBuffer
import java.nio.file.Path

/** All bytes of a small file. */
fun BlockStore.bytesOf(file: Path): ByteArray =
    open(file, Access.READ).use { opened ->
        ByteBuffer.allocate(opened.size().toInt()).also { opened.readFully(0, it) }.array()
    }
