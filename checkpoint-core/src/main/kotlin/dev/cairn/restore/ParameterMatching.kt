package dev.cairn.restore

import dev.cairn.event.CheckpointException
import dev.cairn.item.Declared
import dev.cairn.item.notFitting
import dev.cairn.store.Manifest
import dev.cairn.store.Manifest.Companion.PROGRAM
import dev.cairn.store.Parameter

/**
 * Compares the parameters of a checkpoint with the [declared] ones, and returns the changes that the program allows, in sentences.
 * Refuses any other change: the checkpoint is that of another run.
 */
internal fun parameterChanges(declared: Declared, manifest: Manifest): List<String> {
    val changes = manifest.parameters.mapNotNull { changeOf(it, declared, manifest) }
    val refused = manifest.parameters.mapNotNull { stored -> refusedChange(stored, declared, manifest) }
    if (refused.isNotEmpty()) throw differs(refused.first(), refused.drop(1), manifest)
    return changes
}

private fun changeOf(stored: Parameter, declared: Declared, manifest: Manifest): String? {
    val given = declared.parameterOf(stored, manifest)
    return when {
        given == null && stored.name in declared.removed -> {
            "the parameter $stored of save ${manifest.save} is not compared: the program has removed it."
        }

        given == null -> {
            throw notDeclared(stored, manifest)
        }

        !given.isSame(stored) -> {
            "the parameter $stored of save ${manifest.save} is now ${given.besides(stored)}, which the program allows."
        }

        given.name != stored.name -> {
            "the parameter '${given.name}' is the one that save ${manifest.save} holds as '${stored.name}'."
        }

        else -> {
            null
        }
    }
}

/** The parameter as it was [stored] and as it is given now, if the program does not allow that change; null if it does. */
private fun refusedChange(stored: Parameter, declared: Declared, manifest: Manifest): Pair<Parameter, Parameter>? {
    val given = declared.parameterOf(stored, manifest) ?: return null
    return if (given.isSame(stored) || given.name in declared.changing) null else stored to given
}

/** A sentence on the parameters that [manifest] does not hold; null if it holds all that are [declared]. */
internal fun newParameters(declared: Declared, manifest: Manifest): String? {
    val new = declared.parameters - manifest.parameters.mapNotNull { declared.parameterOf(it, manifest) }.toSet()
    if (new.isEmpty()) return null
    return "save ${manifest.save} does not say whether it was made with ${new.joinToString()}, which the program " +
        "declares as ${if (new.size == 1) "a parameter now: it is" else "parameters now: they are"} accepted " +
        "unchecked, and stored with later saves."
}

/** A sentence on a checkpoint of a program of another name; null if the names are the same, or not known. */
internal fun otherProgram(declared: Declared, manifest: Manifest): String? {
    val stored = manifest.provenance[PROGRAM] ?: return null
    if (declared.program == null || stored == declared.program) return null
    return "save ${manifest.save} was made by the program '$stored', and this one is '${declared.program}': if its " +
        "results are others, start it with another directory, or with the setting fresh = true."
}

/** The declared parameter of the same name, or one with that former name; null if there is none. */
private fun Declared.parameterOf(stored: Parameter, manifest: Manifest): Parameter? {
    val names = manifest.parameters.map { it.name }
    return parameters.find { it.name == stored.name }
        ?: parameters.find { it.name !in names && stored.name in formerly[it.name].orEmpty() }
}

/** The value, with the name if that differs, too. */
private fun Parameter.besides(stored: Parameter): String =
    (if (name == stored.name) "" else "'$name' = ") + shownBeside(stored)

private fun differs(
    first: Pair<Parameter, Parameter>,
    others: List<Pair<Parameter, Parameter>>,
    manifest: Manifest,
): CheckpointException {
    val (stored, given) = first
    val more =
        others.joinToString { (then, now) ->
            "'${then.name}' = ${then.shownBeside(now)}, now ${now.besides(then)}"
        }
    return notFitting(
        stored.name,
        "save ${manifest.save} was made with the parameter '${stored.name}' = ${stored.shownBeside(given)}, but the " +
            "program was started with ${given.besides(stored)}: to continue that run, start with " +
            "${stored.shownBeside(given)}; to begin another one, use another directory, or the setting fresh = " +
            "true; to let the value change within a run, declare allowChange(\"${given.name}\")." +
            if (others.isEmpty()) "" else " Others differ, too: $more.",
    )
}

private fun notDeclared(stored: Parameter, manifest: Manifest) =
    notFitting(
        stored.name,
        "save ${manifest.save} was made with the parameter $stored, which the program does not declare: " +
            "declare it, name it as a former name of the parameter that replaces it, or declare " +
            "removed(\"${stored.name}\") if the results no longer depend on it.",
    )
