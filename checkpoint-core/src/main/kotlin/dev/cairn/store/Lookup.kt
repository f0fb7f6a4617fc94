package dev.cairn.store

import java.io.IOException

/** The entry with [number]. */
internal fun CheckpointStore.numbered(number: Int): Entry.Numbered =
    survey().numbered.find { it.number == number } ?: throw noSuch(number)

private fun CheckpointStore.noSuch(number: Int) =
    noSuchCheckpoint(directory, "$directory: there is no save $number. 'cairn ls $directory' lists the existing ones.")

/** The save [number], which was finished. */
internal fun CheckpointStore.save(number: Int): Entry.Save =
    observe(numbered(number)) { finished(it) } ?: throw noSuch(number)

private fun CheckpointStore.finished(entry: Entry.Numbered): Entry.Save =
    when (entry) {
        is Entry.Save -> entry

        is Entry.Unreadable -> throw IOException("${entry.path} cannot be read: ${entry.reason}")

        is Entry.Unfinished -> throw unfinished(entry)

        is Entry.Sealed -> throw notCommitted(entry)

        is Entry.Deleted -> throw wasDeleted(entry)

        is Entry.Lost -> throw (judge(entry) {} as? Verdict.Rejected)?.let { noSuchCheckpoint(entry.path, it.reason) }
            ?: unfinished(entry)
    }

internal fun wasDeleted(entry: Entry.Deleted) =
    noSuchCheckpoint(entry.path, "${entry.path} is no checkpoint: it was deleted.")

/** A sealed save is no checkpoint before it is committed. */
internal fun CheckpointStore.notCommitted(sealed: Entry.Sealed) =
    noSuchCheckpoint(
        sealed.path,
        "${sealed.path} is no checkpoint yet: its data lie on the disks of the hosts that its file " +
            "'${SaveNames.HOSTS}' names. 'cairn drain $directory --local PATH' on these hosts, or a restart that " +
            "reaches them, commits it.",
    )

private fun CheckpointStore.unfinished(entry: Entry) =
    noSuchCheckpoint(entry.path, "${entry.path} is no checkpoint: ${lackOf(entry)}.")
