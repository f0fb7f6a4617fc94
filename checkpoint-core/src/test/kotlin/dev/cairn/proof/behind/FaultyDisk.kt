package dev.cairn.proof.behind

import dev.cairn.proof.local.Ballast
import dev.cairn.proof.local.HostDisks
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.DiskSettings
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.PARENT
import dev.cairn.store.withParent
import java.io.IOException
import java.nio.file.Path
import kotlin.random.Random

/** What goes wrong with a disk that works in all other respects. */
internal sealed interface DiskTrouble {
    /** What is told of it. */
    val name: String

    /** A host is refused the [operations] of a [kind], which are counted from 1. */
    class Refusal(val host: String, val kind: Kind, val operations: LongRange) : DiskTrouble {
        override val name = "disk: $kind ${if (operations.first == operations.last) "once" else "for ever"}"
    }

    /** Another program takes all the room but [pagesLeft] before the [operation]-th operation of this one. */
    class Full(val operation: Long, val pagesLeft: Int) : DiskTrouble {
        override val name = "disk: full"
    }

    companion object {
        private val KINDS =
            listOf(
                Kind.OPEN,
                Kind.CREATE,
                Kind.READ,
                Kind.WRITE,
                Kind.FORCE,
                Kind.FORCE_DIRECTORY,
                Kind.RENAME,
                Kind.DELETE,
            )
        private const val OPERATIONS_OF_A_KIND = 25
        private const val OPERATIONS = 600L

        fun draw(random: Random, hosts: List<String>): DiskTrouble {
            if (random.nextDouble() < 0.2) return Full(random.nextLong(1, OPERATIONS), random.nextInt(10))
            val first = random.nextLong(1, OPERATIONS_OF_A_KIND + 1L)
            val last = if (random.nextBoolean()) first else Long.MAX_VALUE
            return Refusal(hosts.random(random), KINDS.random(random), first..last)
        }
    }
}

/** The disks of the hosts of a program, with [trouble] or without. */
internal class FaultyDisk(private val trouble: DiskTrouble?) {
    private val disks = HostDisks(SimulatedDisk(DiskSettings.DEFAULT.withCapacity(CAPACITY)).withParent())
    private val doors = mutableMapOf<String, BlockStore>()
    private var operationCount = 0L
    private var ofKind = 0L

    /** The trouble, if the program has met it. */
    var struck: DiskTrouble? = null
        private set

    /** The disk that all hosts share, without trouble. */
    val raw: BlockStore get() = disks.shared.host("any")

    /** The ranks of a host share one door, so that they share its open files. */
    fun door(host: String): BlockStore = doors.getOrPut(host) { Door(host, disks.door(host)) }

    fun crashHost(host: String) = disks.crashHost(host)

    /** What the next program finds if the power fails now on no disk, on all, or on some; there is room again. */
    fun afterwards(random: Random): List<HostDisks> =
        listOf<(String) -> Boolean>({ false }, { true }, { random.nextBoolean() }).map { isLost ->
            disks.afterCrash(isLost).apply {
                Ballast(door("other"), BALLAST).remove()
            }
        }

    private inner class Door(private val host: String, target: BlockStore) : ForwardingStore(target) {
        override fun onOperation(operation: BlockStore.Operation) {
            operationCount++
            when (trouble) {
                null -> Unit
                is DiskTrouble.Full -> if (operationCount == trouble.operation) fill(trouble.pagesLeft)
                is DiskTrouble.Refusal -> refuse(trouble, operation)
            }
        }

        private fun refuse(refusal: DiskTrouble.Refusal, operation: BlockStore.Operation) {
            if (host != refusal.host || operation.kind() != refusal.kind || ++ofKind !in refusal.operations) return
            struck = refusal
            throw IOException("the disk refuses to ${operation.kind()} ${operation.path()}")
        }
    }

    private fun fill(pagesLeft: Int) {
        Ballast(disks.door("other"), BALLAST).fill(pagesLeft)
        struck = trouble
    }

    private companion object {
        /** A save of streams asks for some MiB at first, and uses a few pages. */
        const val CAPACITY = 16L shl 20
        val BALLAST: Path = PARENT.resolve("ballast")
    }
}
