package dev.cairn

import dev.cairn.event.requireDeclared
import dev.cairn.event.utf8Of
import dev.cairn.item.Declared
import dev.cairn.item.FileItem
import dev.cairn.item.Hooks
import dev.cairn.item.ItemName
import dev.cairn.item.KindWords
import dev.cairn.item.LinkedRows
import dev.cairn.item.ReachedObjects
import dev.cairn.item.StateItem
import dev.cairn.item.Witness
import dev.cairn.item.restoreFailed
import dev.cairn.item.saveFailed
import dev.cairn.options.CheckpointOptions
import dev.cairn.ranks.Communicator
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.Parameter

/**
 * The declarations of one rank so far, through one [StateBuilder] or several. Belongs to that rank.
 *
 * @property files the file system of the checkpoints
 * @property program the name of the program, if Cairn keeps its loop
 */
internal class Declarations(
    val options: CheckpointOptions,
    val ranks: Communicator,
    val files: BlockStore,
    val program: String? = null,
    val words: KindWords = KindWords.OF_RANKS,
) {
    val items = mutableListOf<StateItem>()
    val parameters = mutableListOf<Parameter>()
    val removed = mutableSetOf<String>()
    val formerly = mutableMapOf<String, List<String>>()
    val changing = mutableSetOf<String>()
    val beforeSave = Hooks("beforeSave") { saveFailed("a function of beforeSave", "beforeSave", "function", it) }
    val afterRestore =
        Hooks("afterRestore") {
            restoreFailed("a function of afterRestore", "afterRestore", "correct that function, and start again", it)
        }
    val properties = Properties()
    val outputs = mutableListOf<Output>()
    val netcdfs = mutableListOf<NetcdfOutput>()
    var isForOneRank = false
    val reached = ReachedObjects(items)
    val linked = LinkedRows(reached)
    private val names = mutableSetOf<String>()
    private var keyCount = 0
    private val witnesses = mutableListOf<Witness>()
    private var isSealed = false

    /** The name of the next item. */
    fun name(today: String, former: List<String>) = ItemName(today, 1 + keyCount, former, words)

    val declared: Declared
        get() =
            Declared(
                items,
                removed,
                formerly,
                parameters,
                changing,
                program,
                beforeSave,
                afterRestore,
                witnesses,
                isForOneRank,
                words,
            )

    /** Ends the declarations. Refuses state without a name, rules for items that are not declared, and contradicting rules. */
    fun seal() {
        properties.requireNamed()
        requireFormerNames()
        requireParameters()
        linked.requireTargets()
        isSealed = true
    }

    fun requireUnsealed(refusal: () -> String) = check(!isSealed, refusal)

    fun add(item: StateItem) {
        requireText(item)
        val itsNames = listOf(item.name) + item.formerNames
        itsNames.forEach { name ->
            requireNew(name) { "declare all state before, so that it can be restored" }
        }
        if (item is FileItem) requireOwnFile(item)
        items += item
        names += itsNames
        keyCount += item.keyCount
    }

    fun add(parameter: Parameter) {
        requireNew(parameter.name) { "declare all parameters before, so that a restart can compare them" }
        parameters += parameter
        names += parameter.name
    }

    fun add(witness: Witness) {
        requireUnsealed {
            "the witness '${witness.name}' is declared after the first step has begun: declare it before"
        }
        requireNamed(witness.name) { "a witness" }
        requireDeclared(witnesses.none { it.name == witness.name }, witness.name) {
            "the witness '${witness.name}' is declared twice: give each witness a name of its own"
        }
        witnesses += witness
    }

    private fun requireNew(name: String, advice: () -> String) {
        check(!isSealed) { "'$name' is declared after the first step has begun: ${advice()}" }
        requireNamed(name) { "an item or a parameter" }
        requireDeclared(name !in names, name) {
            "the name '$name' is declared twice: give each item and parameter a name of its own"
        }
    }

    private fun requireOwnFile(output: FileItem) {
        val other = items.filterIsInstance<FileItem>().find { it.absoluteFile == output.absoluteFile }
        requireDeclared(other == null) {
            "the outputs '${other?.name}' and '${output.name}' are the same file, ${output.file}, and each would be " +
                "cut back to its own length: declare it once"
        }
    }

    /** All names that an item may have in older checkpoints. */
    private fun formerNames(item: StateItem): List<String> = item.formerNames + formerly[item.name].orEmpty()

    private fun requireFormerNames() {
        val names = items.map { it.name } + parameters.map { it.name }
        val missing = formerly.keys.find { it.substringBefore('.') !in names && it !in names }
        requireDeclared(missing == null) {
            "the program says former names of '$missing', but declares no such item, only " +
                "${names.joinToString { "'$it'" }}. Declare the item, or leave out its former names"
        }
        val former = items.flatMap(::formerNames) + parameters.flatMap { formerly[it.name].orEmpty() }
        val twice = (names + former + removed).repeated()
        requireDeclared(twice == null) {
            "the program has two rules for '$twice': each name stands for one item or parameter"
        }
    }

    private fun requireParameters() {
        val missing = changing.find { name -> parameters.none { it.name == name } }
        requireDeclared(missing == null) {
            "the program allows a change of '$missing', but declares no such parameter" +
                (if (parameters.isEmpty()) "" else ", only ${parameters.joinToString { "'${it.name}'" }}") +
                ". Declare the parameter, or leave out allowChange(\"$missing\")"
        }
    }
}

/** Refuses an [item] that a manifest cannot describe. The names of columns and of properties are in its schemas. */
private fun requireText(item: StateItem) {
    utf8Of(item.name) { "the name '${item.name}'" }
    utf8Of("${item.schema} ${item.valueSchema}") { "a name within '${item.name}'" }
}

/** Refuses an empty [name] of a [thing]. */
internal inline fun requireNamed(name: String, thing: () -> String) =
    requireDeclared(name.isNotEmpty()) {
        "the name of ${thing()} is empty: give it one, by which a restart and the command cairn find it"
    }

/** The first duplicate; null if there is none. */
internal fun <T> List<T>.repeated(): T? =
    groupingBy { it }
        .eachCount()
        .entries
        .find { it.value > 1 }
        ?.key
