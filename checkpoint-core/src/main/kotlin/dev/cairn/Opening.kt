package dev.cairn

import dev.cairn.checkpoint.FramePool
import dev.cairn.checkpoint.checkpointStore
import dev.cairn.concentrate.DedicatedRanks
import dev.cairn.concentrate.dedicate
import dev.cairn.event.CHECKPOINTS_LOGGER
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.CheckpointException
import dev.cairn.event.EventBound
import dev.cairn.event.EventFile
import dev.cairn.event.Events
import dev.cairn.event.KeptEvents
import dev.cairn.event.orNullRefused
import dev.cairn.event.ranksByHost
import dev.cairn.event.withTypedFailures
import dev.cairn.item.FileItem
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.ROOT
import dev.cairn.ranks.Worker
import dev.cairn.ranks.worker
import dev.cairn.run.RankDeclaration
import dev.cairn.run.ShownProgress
import dev.cairn.run.agreeToOpen
import dev.cairn.run.guardOutputs
import dev.cairn.run.openLocalDisks
import dev.cairn.run.requireApart
import dev.cairn.run.shownProgress
import dev.cairn.save.SaveContext
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.FileBlockStore
import dev.cairn.store.CheckpointStore
import dev.cairn.store.OwnedStore
import dev.cairn.store.Owner
import dev.cairn.store.SaveNames
import dev.cairn.store.Takeover
import dev.cairn.store.callingLine
import dev.cairn.store.inform
import java.lang.System.Logger.Level.WARNING
import java.nio.file.Path
import java.time.Clock
import java.util.UUID

/**
 * Collective: declares the state of all ranks and opens the directory of their checkpoints, which is made if there is
 * none. The caller closes the result, on every rank.
 *
 * @param directory the directory of the checkpoints; the same on all ranks
 * @param files the file system that all ranks share
 * @param dedicated the ranks that write what this program saves with [Checkpoints.saveAsync], if it has [dedicated some][dedicate]
 * @param declare names the items of this rank; see [StateBuilder]
 * @throws CheckpointException on all ranks, if another program writes into the directory, or the blocks do not tile a field
 */
@JvmSynthetic
public suspend fun Communicator.checkpoints(
    directory: Path,
    options: CheckpointOptions = CheckpointOptions(),
    files: BlockStore = FileBlockStore(),
    dedicated: DedicatedRanks? = null,
    declare: StateBuilder.() -> Unit,
): Checkpoints {
    val shown = shownProgress(directory, options)
    val declared = runCatching { Declarations(options, this, files).also { StateBuilder(it).declare() } }
    return Opening(this, directory, options, files, dedicated, declared).open(shown)
}

/**
 * Opens the checkpoints of one program. Every rank makes one, in the program's call.
 *
 * @param declared the state of this rank, or why it could not be declared
 */
internal class Opening(
    private val program: Communicator,
    private val directory: Path,
    private val options: CheckpointOptions,
    private val files: BlockStore,
    private val dedicated: DedicatedRanks?,
    private val declared: Result<Declarations>,
) {
    private val line = callingLine()
    private var owned: OwnedStore? = null
    private var hosts = emptyList<String>()

    /** Collective. Closes the line on the terminal, if it is [shown], if this fails. */
    suspend fun open(shown: ShownProgress?): Checkpoints =
        try {
            withTypedFailures { openOnce(shown) }
        } catch (failure: Throwable) {
            shown?.close()
            throw failure
        }

    private suspend fun openOnce(shown: ShownProgress?): Checkpoints {
        dedicated?.requireFit(program.size)
        // A communicator of our own: no message of the program is ever taken for one of ours.
        val part = checkNotNull(program.split(0))
        val limit = options.limit ?: part.limit
        val pool =
            part.shareInProcess { rankCount ->
                runCatching { FramePool(options.frameCount).apply { prepare(rankCount) } }
            }
        try {
            part.during(part.activity, limit).agreeToOpen(declaration(part, pool)) { hostsOfRanks ->
                hosts = hostsOfRanks
                val store = checkpointStore(files, directory)
                owned = store.own(options, line).also { it.guardOutputs(declared.getOrThrow().items, files) }
            }
            // The ranks agree on the directory, so their calls may be named by it.
            val context = context(part.during("checkpoints in $directory", limit), pool.getOrThrow())
            val betweenSteps = part.during(context.ranks.activity, part.limit)
            return Checkpoints(context, owned, events(context, shown), betweenSteps, shown)
        } catch (failure: Throwable) {
            // Also when only another rank has failed: no other code would release the store.
            owned.use { throw failure }
        }
    }

    private fun declaration(part: Communicator, pool: Result<FramePool>): Result<RankDeclaration> =
        declared.recoverCatching { throw it.orNullRefused() }.mapCatching {
            options.requireLocal(isDedicated = dedicated != null)
            options.requireStart()
            it.seal()
            val outputs = it.items.filterIsInstance<FileItem>()
            if (part.rank == ROOT) files.requireApart(directory, options.events, outputs)
            pool.getOrThrow()
            RankDeclaration(directory, options.configuration, dedicated != null, it.declared)
                .also { own -> own.requireRanks(part.size) }
        }

    /** Collective. */
    private suspend fun context(ranks: Communicator, pool: FramePool): SaveContext {
        val mapping = options.files.mapping(ranks)
        val worker = ranks.worker()
        val local = options.local?.let { ranks.openLocalDisks(it, directory, files, owned, options, worker) }
        val items = declared.getOrThrow().declared
        val line = dedicated?.line
        return SaveContext(ranks, files, directory, options, mapping, items, pool, worker, local, line)
    }

    private fun events(context: SaveContext, shown: ShownProgress?): Events {
        val isRoot = context.ranks.rank == ROOT
        val listeners = options.listeners + listOfNotNull(shown?.progress)
        val events = if (isRoot) Events(listeners, eventFiles(context.worker)) else Events(emptyList())
        events.notify(started(hosts))
        if (dedicated != null && isRoot) options.warnOfIdleRanks()
        owned?.takeover?.let {
            System.getLogger(CHECKPOINTS_LOGGER).inform(files, it)
            events.notify(CheckpointEvent.TakenOver(it))
        }
        return events
    }

    /** Their lines are written by [worker]. */
    private fun eventFiles(worker: Worker): List<KeptEvents> {
        val program = "${UUID.randomUUID()}".take(PROGRAM_NAME_LENGTH)
        val wanted = options.events?.let { EventFile(files, it, program) }
        val kept = owned?.takeIf { options.keepEvents > 0 }?.let { ownEvents(it, program) }
        return listOfNotNull(wanted, kept).map { file ->
            KeptEvents(file, worker::isLive) { write -> worker.start { write() } }
        }
    }

    private fun ownEvents(owned: OwnedStore, program: String): EventFile {
        val bound = EventBound(options.keepEvents, directory.resolve(SaveNames.OLDER_EVENTS))
        return EventFile(
            files,
            directory.resolve(SaveNames.EVENTS),
            program,
            bound,
            requirePlace = owned::requireInPlace,
        )
    }
}

private fun CheckpointOptions.warnOfIdleRanks() {
    val reason = if (checkRestart) "check-restart is set" else "wait is committed".takeIf { wait == Wait.COMMITTED }
    if (reason == null) return
    val warning = "dedicated ranks have nothing to write: $reason, so ranks write for themselves"
    System.getLogger(CHECKPOINTS_LOGGER).log(WARNING, warning)
}

/** On rank 0, which knows the [hosts] of all ranks. */
private fun started(hosts: List<String>) =
    CheckpointEvent.Started(
        hosts.size,
        hosts.distinct().size,
        ranksByHost(hosts),
        hosts.firstOrNull().orEmpty(),
        ProcessHandle.current().pid(),
        Checkpoints::class.java.`package`.implementationVersion
            .orEmpty(),
    )

private fun CheckpointStore.own(options: CheckpointOptions, line: String): OwnedStore {
    val clock = Clock.systemUTC()
    val takeover = if (options.takeOver) Takeover.Asked else Takeover.IfDead()
    return own(Owner.here(clock.instant()), clock, takeover, line)
}

private const val PROGRAM_NAME_LENGTH = 8
