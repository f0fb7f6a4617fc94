package dev.cairn.sion.fuzz

import dev.cairn.sion.failure.SionException
import java.nio.file.NoSuchFileException
import java.nio.file.Path

/** Whether refusals of [files] say what a person needs: which file, where, and a whole sentence. */
class Refusals(private val files: HostileFiles) {
    /** The refusal in which [read] ends, whose sentence has been looked at; null if there was none. */
    fun of(read: () -> Unit): Exception? =
        try {
            read()
            null
        } catch (refusal: SionException) {
            refusal.also(::check)
        } catch (refusal: IllegalArgumentException) {
            refusal.also { requireSentence(it) }
        } catch (missing: NoSuchFileException) {
            missing.also(::check)
        } catch (enough: SearchAbandoned) {
            enough
        }

    /** Fails if it does not say enough, or is no refusal at all. */
    fun check(refusal: Exception) =
        when (refusal) {
            is SionException -> checkFile(refusal)
            is NoSuchFileException -> if (Path.of(refusal.file) in files.byPath) throw refusal else Unit
            is SearchAbandoned -> Unit
            else -> throw AssertionError("no refusal", refusal)
        }

    private fun checkFile(refusal: SionException) {
        val message = refusal.message.orEmpty()
        if (!message.startsWith("${refusal.file()}: ")) throw AssertionError("no file in: $message", refusal)
        if (refusal is SionException.Corrupt) {
            val size = files.byPath.getValue(refusal.file()).size
            if (refusal.offset() !in 0 until size) throw AssertionError("no such byte: $message", refusal)
        }
        requireSentence(refusal)
    }

    private fun requireSentence(refusal: Exception) {
        val message = refusal.message.orEmpty()
        if (message.length < SHORTEST || !message.endsWith('.')) throw AssertionError("no sentence: $message", refusal)
    }

    private companion object {
        const val SHORTEST = 20
    }
}
