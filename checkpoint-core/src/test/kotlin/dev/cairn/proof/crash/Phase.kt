package dev.cairn.proof.crash

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.SaveNames
import dev.cairn.store.name
import java.nio.file.Path

/** What a program is doing with its store. */
internal enum class Phase {
    /** It owns the store, and restores. */
    BEGIN,

    /** The same, where a program died before. */
    TAKEOVER,

    /** It writes data into a directory. */
    DATA,

    /** From the manifest's first byte until its name is durable. */
    COMMIT,

    /** It deletes what is old, and begins the next save or gives the store back. */
    RETENTION,
}

/** Notes in which phase each operation of [disk] is, from the names in it. The first one is in [first]. */
internal class PhaseWatch(private val disk: SimulatedDisk, first: Phase) {
    private val phases = sortedMapOf<Long, Phase>()
    private var phase = first
    private var isNamed = false

    /** Saves whose deletion has begun: it goes on while the next ones are written. */
    private val expired = mutableSetOf<Path>()

    fun door(target: BlockStore): BlockStore =
        object : ForwardingStore(target) {
            override fun onOperation(operation: BlockStore.Operation) {
                val isOfDeletion = isOfDeletion(operation)
                if (!isOfDeletion) pass(operation)
                phases[disk.operationCount() + 1] = if (isOfDeletion) Phase.RETENTION else phase
            }
        }

    private fun isOfDeletion(operation: BlockStore.Operation): Boolean {
        val path = operation.path()
        if (operation.kind() == Kind.RENAME && path.name == SaveNames.MANIFEST) expired.add(path.parent)
        return path in expired || path.parent in expired
    }

    /** The operations by number, each with its phase. */
    fun trace(): Map<Long, Phase> = phases

    private fun pass(operation: BlockStore.Operation) {
        val name = operation.path().name
        when {
            isNamed && operation.kind() != Kind.FORCE_DIRECTORY -> phase = Phase.RETENTION
            name == SaveNames.NEW_MANIFEST && operation.kind() in COMMITTING -> phase = Phase.COMMIT
            operation.kind() == Kind.CREATE && name.startsWith(SaveNames.DATA) -> phase = Phase.DATA
        }
        isNamed = phase == Phase.COMMIT && (isNamed || operation.kind() == Kind.RENAME)
    }

    private companion object {
        /** What happens to a new manifest after its name was made. */
        val COMMITTING = setOf(Kind.OPEN, Kind.WRITE, Kind.FORCE, Kind.RENAME)
    }
}
