package dev.cairn.options

import dev.cairn.event.textOfUtf8
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.readWhole
import java.nio.ByteBuffer
import java.nio.file.Path

/**
 * The content of a file of settings: `key = value` in each line, in UTF-8. Empty lines and lines that begin with `#`
 * are ignored. An unknown or repeated key is refused: its intention is unclear, and a run is long.
 */
internal class SettingsFile(private val files: BlockStore, private val file: Path) {
    fun over(configuration: Configuration): Configuration {
        val bytes = files.readWhole(file, MOST_BYTES)
        requireNotNull(bytes) { "$file: a file of settings has at most $MOST_BYTES bytes" }
        val text = textOfUtf8(ByteBuffer.wrap(bytes)) { "$file: the file of settings" }
        val entries = entries(text.lines())
        requireNoneTwice(entries)
        return entries.fold(configuration) { result, entry ->
            result.withText(settingOf(entry, configuration.settings), entry.value, entry.origin)
        }
    }

    private class Entry(val key: String, val value: String, val origin: Origin)

    private fun entries(lines: List<String>): List<Entry> =
        lines.map(String::trim).mapIndexedNotNull { index, line ->
            if (line.isEmpty() || line.startsWith("#")) null else entry(line, Origin.file(file, index + 1))
        }

    private fun entry(line: String, origin: Origin): Entry {
        require('=' in line) { "$origin: '$line' is not a setting. A line is 'key = value', or begins with #." }
        return Entry(line.substringBefore('=').trim(), line.substringAfter('=').trim(), origin)
    }

    private fun requireNoneTwice(entries: List<Entry>) =
        entries.groupBy { it.key }.values.filter { it.size > 1 }.forEach { (first, second) ->
            throw IllegalArgumentException(
                "${second.origin}: ${second.key} is set already in ${first.origin}. Keep one.",
            )
        }

    private fun settingOf(entry: Entry, settings: List<Setting<*>>): Setting<*> =
        requireNotNull(settings.find { it.name == entry.key }) {
            "${entry.origin}: there is no setting '${entry.key}'.${didYouMean(entry.key, settings.map { it.name })}"
        }
}

private const val MOST_BYTES = 1 shl 20
