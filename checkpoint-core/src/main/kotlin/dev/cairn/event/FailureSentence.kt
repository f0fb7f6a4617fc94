package dev.cairn.event

import dev.cairn.sion.store.DiskException
import java.io.IOException
import java.nio.file.DirectoryNotEmptyException
import java.nio.file.FileAlreadyExistsException
import java.nio.file.FileSystemException
import java.nio.file.NoSuchFileException
import java.nio.file.NotDirectoryException
import java.nio.file.Path

/** A failure as a sentence for people. The operating system's exceptions often contain only the file. */
internal fun IOException.sentence(): String =
    when (this) {
        is NoSuchFileException -> "$file: ${reason?.removeSuffix(".") ?: NOT_THERE}."
        is FileAlreadyExistsException -> "$file: it exists already."
        is NotDirectoryException -> "$file: it is not a directory."
        is DirectoryNotEmptyException -> "$file: the directory is not empty."
        is FileSystemException -> "$file: ${reason?.removeSuffix(".") ?: javaClass.simpleName}."
        else -> message ?: toString()
    }

/** This failure of [file], with a [sentence] that says what it means for the program. */
internal fun IOException.meaning(file: Path, sentence: String): IOException =
    if (this is DiskException) DiskException(trouble(), file, sentence) else IOException("$file: $sentence", this)

/** The same without its full stop, in the middle of another sentence. */
internal fun IOException.phrase(): String = sentence().removeSuffix(".")

/** The same in a sentence that has named [file] already. */
internal fun IOException.phraseOf(file: Path): String = phrase().removePrefix("$file: ")

/** The first line of its message without the full stop, in the middle of another sentence. */
internal fun Throwable.messageLine(): String = (message ?: "$this").lineSequence().first().removeSuffix(".")

/** Its type and the first line of its message without the full stop. */
internal fun Throwable.fullLine(): String = "$this".lineSequence().first().removeSuffix(".")

private const val NOT_THERE = "there is no such file or directory. Check the name"
