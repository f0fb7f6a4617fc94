package dev.cairn.run

import dev.cairn.node.LocalSaves
import dev.cairn.node.SourceChoice
import dev.cairn.store.SaveNames
import dev.cairn.store.SealedFile

/**
 * Why files of a sealed save cannot be had from any source of [choice], and what the user can do. Of a host on which no rank has looked,
 * only that is known.
 *
 * @param saves what the host of this rank holds; null if the program has no setting `local`, so that no rank has looked
 */
internal class MissingFiles(private val choice: SourceChoice, private val saves: LocalSaves?) {
    private val unreached = choice.missing.filter { choice.unfoundPlaces(it).isNotEmpty() }
    private val reached = choice.missing - unreached.toSet()

    /** Whether disks return errors for all of them, which a later restart may be able to read. */
    val mayBeReadLater: Boolean get() = choice.missing.all(choice::mayBeReadLater)

    /** Each as the end of a sentence. */
    val reasons: List<String>
        get() =
            listOf(whyUnreached()).filter { unreached.isNotEmpty() } +
                unreached.mapNotNull { file ->
                    choice.flawOf(file)?.let { "another copy of ${file.name} is of no use: $it" }
                } +
                reached.map { "$it cannot be had from there: ${choice.flawOf(it)}" }

    /** Whole sentences. */
    val advice: String
        get() =
            when {
                unreached.isEmpty() -> ""
                isIdentityOther -> "$IDENTITY_ADVICE $HOSTS_ADVICE "
                else -> "$HOSTS_ADVICE "
            }

    /** The name of the directory on hosts is the identity of the store: it has another one now. */
    private val isIdentityOther: Boolean
        get() = saves != null && unreached.flatMap(choice::unfoundPlaces).none { it.place.endsWith("/${saves.name}") }

    private fun whyUnreached(): String {
        val places = unreached.joinToString { "${SealedFile(it.name, choice.unfoundPlaces(it))}" }
        return when {
            saves == null -> "the setting local is missing, so that no rank looks for $places"
            isIdentityOther -> "no rank finds $places, complete, since ranks look for ${saves.name}, $BY_IDENTITY"
            else -> "no rank finds $places, complete"
        }
    }

    private companion object {
        const val BY_IDENTITY = "by the file '${SaveNames.IDENTITY}' of the store"
        const val IDENTITY_ADVICE = "Give it its former content, the 18 characters behind 'cairn-'."
        const val HOSTS_ADVICE = "Start ranks on these hosts, with the same setting local as then."
    }
}
