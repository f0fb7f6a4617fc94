package dev.cairn

import dev.cairn.comm.Communicator
import dev.cairn.comm.ROOT
import dev.cairn.comm.broadcast
import dev.cairn.comm.broadcastText
import dev.cairn.comm.bytesOf
import dev.cairn.comm.collectively
import dev.cairn.comm.textOf
import dev.cairn.config.Configuration
import dev.cairn.config.ConfiguredValue
import dev.cairn.config.Origin
import dev.cairn.config.decodedSettings
import dev.cairn.contents.TableOfContents
import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointListener
import dev.cairn.event.Events
import dev.cairn.failure.CheckpointException
import dev.cairn.failure.withTypedFailures
import dev.cairn.item.CellItem
import dev.cairn.item.StateItem
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Settings
import dev.cairn.run.DeclarationsDifferException
import dev.cairn.run.EventFile
import dev.cairn.run.guardOutputs
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.CheckpointStore
import dev.cairn.store.OwnedStore
import dev.cairn.store.Owner
import dev.cairn.store.Takeover
import dev.cairn.stored.checkpointStore
import java.lang.System.Logger.Level.INFO
import java.nio.file.Path
import java.time.Clock

/**
 * Collective: declares the state of all ranks and opens the directory of their checkpoints, which is made if there is
 * none. The caller closes the result, on every rank.
 *
 * @param directory where the checkpoints are; the same on all ranks
 * @param files the file system that all ranks share
 * @param declare names the items of this rank; see [StateBuilder]
 * @throws CheckpointException on all ranks, if another program writes into the directory, or the blocks do not tile a field
 */
@JvmSynthetic
public suspend fun Communicator.checkpoints(
    directory: Path,
    options: CheckpointOptions = CheckpointOptions(),
    files: BlockStore = FileBlockStore(),
    declare: StateBuilder.() -> Unit,
): Checkpoints {
    val state = collectively("declare the state") { StateBuilder().apply(declare) }
    return openCheckpoints(this, directory, options, files, state)
}

/** Collective. */
internal suspend fun openCheckpoints(
    program: Communicator,
    directory: Path,
    options: CheckpointOptions,
    files: BlockStore,
    state: StateBuilder,
): Checkpoints = withTypedFailures { open(program, directory, options, files, state) }

private suspend fun open(
    program: Communicator,
    directory: Path,
    options: CheckpointOptions,
    files: BlockStore,
    state: StateBuilder,
): Checkpoints {
    state.seal()
    // A communicator of our own: no message of the program is ever taken for one of ours.
    val part = checkNotNull(program.split(0))
    part.requireSameSettings(options, directory)
    val ranks = part.during("checkpoints in $directory", options.limit ?: part.limit)
    ranks.requireSameDeclarations(state)
    ranks.requireTiled(state)
    val mapping = options.files.mapping(ranks)
    var owned: OwnedStore? = null
    try {
        ranks.collectively("own the store") {
            if (ranks.rank == ROOT) {
                owned = checkpointStore(files, directory).own(options).also { it.guardOutputs(state.items) }
            }
        }
        val events = Events(if (ranks.rank == ROOT) options.allListeners(files) else emptyList())
        owned?.takeover?.let {
            System.getLogger(CHECKPOINTS_LOGGER).log(INFO, it)
            events.tell(CheckpointEvent.TakenOver(it))
        }
        return Checkpoints(ranks, files, directory, options, mapping, state, owned, events)
    } catch (failure: Throwable) {
        // Also when only another rank has failed: no other code would give the store back.
        owned.use { throw failure }
    }
}

private fun CheckpointOptions.allListeners(files: BlockStore): List<CheckpointListener> =
    listeners + listOfNotNull(events?.let { EventFile(files, it) })

private fun CheckpointStore.own(options: CheckpointOptions): OwnedStore {
    val clock = Clock.systemUTC()
    val takeover = if (options.takeOver) Takeover.Asked else Takeover.IfDead()
    return own(Owner.here(clock.instant()), clock, takeover)
}

/** Collective: each process has read a file and an environment of its own. */
private suspend fun Communicator.requireSameSettings(
    options: CheckpointOptions,
    directory: Path,
) {
    val own = Configuration.of(Settings.ALL).with(options.configuration).with(Settings.DIR, directory, Origin.PROGRAM)
    val ofRoot = broadcast(ROOT, if (rank == ROOT) bytesOf(own.encode()) else null)
    val decoded = shareInProcess { decodedSettings(textOf(ofRoot)) }
    collectively("compare the settings") {
        own.values().zip(decoded).forEach { (mine, its) -> requireSame(mine, its) }
    }
}

private fun Communicator.requireSame(
    mine: ConfiguredValue,
    ofRoot: ConfiguredValue,
) {
    if (mine.value == ofRoot.value) return
    throw DeclarationsDifferException(
        "${mine.name} is ${mine.value} on rank $rank (${mine.origin}), but ${ofRoot.value} on rank $ROOT " +
            "(${ofRoot.origin}). Give all ranks the same settings: the same file, and the same environment.",
    )
}

private suspend fun Communicator.requireSameDeclarations(state: StateBuilder) {
    val own = state.declaration()
    val ofRoot = broadcastText(ROOT) { own }
    collectively("compare the declarations") {
        if (own == ofRoot) return@collectively
        throw DeclarationsDifferException(
            "rank $rank and rank $ROOT do not declare the same state. Rank $ROOT declares $ofRoot; rank $rank " +
                "declares $own. Declare the same items in the same order.",
        )
    }
}

private fun StateBuilder.declaration(): String =
    (
        items.map {
            "the ${it.schema.kind} '${it.name}' of ${it.content()}"
        } + removed.map { "'$it' as removed" }
    ).joinToString()

private fun StateItem.content(): String {
    val all = listOfNotNull(valueType) + terms + formerNames.map { "formerly '$it'" }
    return schema.content + if (all.isEmpty()) "" else all.joinToString(prefix = " (", postfix = ")")
}

private suspend fun Communicator.requireTiled(state: StateBuilder) {
    val fields = state.items.filterIsInstance<CellItem>()
    val boxes = collectively("ask for the blocks") { fields.associateWith { field -> field.blocks().map { it.box } } }
    val entries = boxes.map { (field, own) -> TableOfContents.Entry(field.key, 0, own, emptyList()) }
    val all = gather(ROOT, TableOfContents(0, rank, size, entries).encode())
    collectively("compare the blocks") {
        val tables = all.map(TableOfContents::decode)
        if (rank == ROOT) fields.forEach { it.requireTiled(tables) }
    }
    boxes.forEach { (field, own) -> field.acceptTiling(own) }
}
