package dev.cairn.cli

import dev.cairn.checkpoint.checkpointStore
import dev.cairn.command.Refusal
import dev.cairn.reading.StoredCheckpoint
import dev.cairn.reading.StoredCheckpoints
import dev.cairn.store.CheckpointStore
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import picocli.CommandLine.ITypeConverter
import java.io.IOException
import java.nio.file.NotDirectoryException
import java.nio.file.Path

/** A checkpoint is not as required; the message is the sentence that the user reads. */
internal class Damage(sentence: String) : IOException(sentence)

/** The arguments are not sufficient or not valid; the message is the sentence that the user reads. */
internal class Misuse(sentence: String) : IOException(sentence)

/** A checkpoint as people name it: `heat.cairn/7`, or `heat.cairn` for the newest good one in it. */
internal data class Place(val directory: Path, val number: Int?) {
    companion object {
        const val OR_NEWEST = "A checkpoint, or a directory for its newest good one."
        const val NUMBER = "Its number, if DIR does not end with it."
    }

    /** A last name that is a number is that of a save. */
    class Converter : ITypeConverter<Place> {
        override fun convert(text: String): Place {
            val path = Path.of(text)
            val number = path.fileName?.toString()?.toIntOrNull() ?: return Place(path, null)
            return Place(path.parent ?: Path.of("."), number)
        }
    }
}

/** The store in [directory], which exists. */
internal fun Shell.storeIn(directory: Path): CheckpointStore {
    if ("$directory".isEmpty()) {
        throw Refusal("the name of a directory is empty: give one, or '.' for the working directory.")
    }
    if (!store().exists(directory)) throw Refusal("$directory: there is no such directory. Check the name.")
    try {
        store().list(directory)
    } catch (_: NotDirectoryException) {
        throw Refusal("$directory: it is not a directory. Check the name.")
    }
    return checkpointStore(store(), directory)
}

/** Refuses a directory in which nothing is of Cairn. A store whose first program has just begun has an owner, at least. */
internal fun Shell.requireStore(directory: Path) {
    val names = store().list(storeIn(directory).directory).map { it.name }
    if (names.any { SaveNames.isOfStore(it) || SaveNames.numberOf(it) != null }) return
    throw Refusal("$directory: it holds no checkpoint, and nothing else of a store. Check the name.")
}

/** The checkpoints in [directory], which exists. */
internal fun Shell.checkpointsIn(directory: Path): StoredCheckpoints =
    StoredCheckpoints(storeIn(directory).directory, store())

/**
 * The checkpoint that [place] and a second argument, [number], mean: `heat.cairn 7` is `heat.cairn/7`. A directory whose own name
 * is a number, such as `runs/2024`, is one of checkpoints.
 */
internal fun Shell.locate(place: Place, number: Int? = null): Place {
    val named = place.number?.let { place.directory.resolve("$it") }?.takeIf { number != null || store().exists(it) }
    return if (named == null) Place(place.directory, number ?: place.number) else Place(named, number)
}

/** The number of the save at [place], which must be a single one, in a directory that exists. */
internal fun Shell.numberAt(place: Place): Int {
    val directory = storeIn(place.directory).directory
    return place.number ?: throw Misuse("$directory: choose a checkpoint: $directory/NUMBER.")
}

/** Opens the checkpoint at [place]; the caller closes it. */
internal fun Shell.open(place: Place): StoredCheckpoint {
    val (directory, number) = locate(place)
    return checkpointsIn(directory).run { if (number == null) openNewest() else open(number) }
}

/** Turns an error that [ask] finds in the user's input into a sentence for the user. */
internal inline fun <T> refusing(ask: () -> T): T =
    try {
        ask()
    } catch (wrong: IllegalArgumentException) {
        throw Refusal(wrong.message.toString(), wrong)
    }
