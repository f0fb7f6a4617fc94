package dev.cairn.proof.local

import dev.cairn.Checkpoints
import dev.cairn.checkpoints
import dev.cairn.event.CheckpointEvent
import dev.cairn.event.RankFailedException
import dev.cairn.event.SaveOutcome
import dev.cairn.event.SaveOutcome.Saved
import dev.cairn.options.CheckpointOptions
import dev.cairn.options.Wait
import dev.cairn.proof.state.Known
import dev.cairn.proof.state.SMALL_OPTIONS
import dev.cairn.ranks.Communicator
import dev.cairn.ranks.RankPlan
import dev.cairn.ranks.RankPlan.Schedule
import dev.cairn.ranks.collectively
import dev.cairn.ranks.ranks
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.store.DIRECTORY
import dev.cairn.store.SaveNames
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.matchers.types.shouldBeInstanceOf
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path
import java.util.concurrent.atomic.AtomicInteger

/** Three, with a disk each. */
internal val hosts = List(3) { "node$it" }

internal val LOCALLY = CheckpointOptions(SMALL_OPTIONS) { local = LOCAL }

internal fun plan(count: Int, seed: Long) = RankPlan(count, Schedule.Deterministic(seed), hosts = { hosts[it % 3] })

/** Collective: saves [steps], and tells how each save ended or how far it has come. */
internal suspend fun Communicator.save(
    known: Known,
    files: BlockStore,
    steps: LongRange,
    wait: Wait,
    options: CheckpointOptions = LOCALLY,
    listener: (CheckpointEvent) -> Unit = {},
    onOutcome: (SaveOutcome) -> Unit = {},
) {
    val state = known.toSave(this, files)
    checkpoints(
        DIRECTORY,
        CheckpointOptions(options) {
            this.wait = wait
            listener(listener)
        },
        files,
    ) { state.declare(this) }.use {
        it.restore()
        for (step in steps) {
            collectively("go on to step $step") { state.advanceTo(step) }
            val outcome = it.trySave(step)
            collectively("look at the disks") { if (rank == 0) onOutcome(outcome) }
        }
        it.awaitAll()
    }
}

/** Collective: how each of [steps] was saved in the end; all ranks do something [before] each. */
internal suspend fun Communicator.saveEach(
    known: Known,
    files: BlockStore,
    steps: LongRange,
    directory: Path = DIRECTORY,
    options: CheckpointOptions = LOCALLY,
    before: (Long) -> Unit,
): List<SaveOutcome> {
    val state = known.toSave(this, files)
    return checkpoints(directory, CheckpointOptions(options) { wait = Wait.LOCAL }, files) { state.declare(this) }.use {
        steps.map { step ->
            collectively("go on to step $step") {
                before(step)
                state.advanceTo(step)
            }
            it.trySave(step)
            while (it.isSaveUnderWay) it.progress()
            checkNotNull(it.lastSave)
        }
    }
}

/** Why a save has not been committed. */
internal fun SaveOutcome.reason(): String =
    when (this) {
        is SaveOutcome.Failed -> reason
        is SaveOutcome.Skipped -> reason
        else -> error("$this has no reason")
    }

private suspend fun Checkpoints.awaitAll() {
    awaitSaves().shouldBeInstanceOf<Saved>()
}

/** Save 1 is committed; save 2 is sealed, and cannot be drained. */
internal suspend fun leaveSealed(disks: HostDisks, seed: Long) {
    ranks(plan(4, seed)) { save(Known.SMALL, disks.door(host), 1L..1, Wait.LOCAL) }
    val full = hosts.associateWith { NoRoomForData(disks.door(it)) }
    ranks(plan(4, seed)) {
        val files = full.getValue(host)
        val state = Known.SMALL.toSave(this, files)
        checkpoints(DIRECTORY, CheckpointOptions(LOCALLY) { wait = Wait.LOCAL }, files) { state.declare(this) }.use {
            it.restore()
            collectively("go on to step 2") { state.advanceTo(2) }
            it.trySave(2).shouldBeInstanceOf<SaveOutcome.Sealed>()
            shouldThrow<RankFailedException> { it.awaitSaves() }
        }
    }
}

/** A shared store in which no data file can be made: of [save], or of any save. */
internal class NoRoomForData(files: BlockStore, private val save: Int? = null) : ForwardingStore(files) {
    override fun onOperation(operation: BlockStore.Operation) {
        val path = operation.path()
        if (operation.kind() != BlockStore.Operation.Kind.CREATE || !path.startsWith(DIRECTORY)) return
        val isMeant = save == null || SaveNames.numberOf("${path.parent.fileName}") == save
        if (isMeant && SaveNames.isPart("${path.fileName}")) throw IOException("$path: no room")
    }
}

/** Counts how often a file on a host's own disk is opened for data. */
internal class CountedOpens(files: BlockStore) : ForwardingStore(files) {
    val count = AtomicInteger()

    override fun onOperation(operation: BlockStore.Operation) {
        val path = operation.path()
        val isOpen =
            operation.kind() == BlockStore.Operation.Kind.OPEN || operation.kind() == BlockStore.Operation.Kind.CREATE
        if (isOpen && path.startsWith(SCRATCH) && SaveNames.isData("${path.fileName}")) count.incrementAndGet()
    }
}

/** A host whose writes into data files of the shared store are lost. */
internal class Unwritten(private val files: BlockStore) : BlockStore by files {
    override fun create(file: Path): BlockFile {
        val created = files.create(file)
        return if (file.startsWith(DIRECTORY) && SaveNames.isPart("${file.fileName}")) Deaf(created) else created
    }
}

private class Deaf(file: BlockFile) : BlockFile by file {
    override fun write(position: Long, source: ByteBuffer) {
        source.position(source.limit())
    }
}

internal fun BlockStore.localPaths(): List<Path> {
    val stores = if (exists(LOCAL)) list(LOCAL) else emptyList()
    return stores.flatMap { list(it) }.flatMap { list(it) }
}

/** The physical files on the own disk of a host, by name. */
internal fun BlockStore.localFiles(): List<Pair<String, ByteBuffer>> =
    localPaths().filter { SaveNames.isOriginal("${it.fileName}") }.map { "${it.fileName}" to bytes(it) }

internal fun BlockStore.bytes(file: Path): ByteBuffer =
    open(file, Access.READ).use { opened ->
        ByteBuffer.allocate(opened.size().toInt()).also { opened.readFully(0, it) }.flip()
    }
