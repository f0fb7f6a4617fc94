package dev.cairn.proof.netcdf

import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.CrashOutcome
import dev.cairn.sion.store.simulated.SimulatedDisk
import java.io.IOException
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.random.Random

/** What can happen at an operation. */
internal enum class Blow {
    /** It fails, once. */
    FAIL,

    /** It fails, and what it should write is in the file in part. */
    TEAR,

    /** It fails, and so do all later ones on files of the name. */
    STOP,

    /** The program is killed. */
    KILL,

    /** The power fails. */
    POWER,
}

/** A [blow] at one operation of a program on the files of [disk] whose names begin with [name]: the one after [before] others. */
internal class DoorFault(
    private val disk: SimulatedDisk,
    val blow: Blow,
    private val name: String,
    private val before: Int,
) {
    private var count = 0
    private val planned = IOException("planned: $this")

    val hasStruck: Boolean get() = count > before

    /** Whether the program comes to no end of its own. */
    val isDeadly: Boolean get() = blow == Blow.KILL || blow == Blow.POWER

    fun inFrontOf(door: BlockStore): BlockStore =
        object : ForwardingStore(door) {
            override fun create(file: Path): BlockFile = tearing(super.create(file))

            override fun open(file: Path, access: Access): BlockFile = tearing(super.open(file, access))

            override fun onOperation(operation: BlockStore.Operation) {
                if (!"${operation.path().fileName}".startsWith(name) || operation.kind() == Kind.CLOSE) return
                if (blow == Blow.TEAR && operation.kind() != Kind.WRITE) return
                count++
                if (count == before + 1 || (hasStruck && blow == Blow.STOP)) strike()
            }
        }

    private fun strike() {
        if (isDeadly) return disk.crashAt(disk.operationCount() + 1)
        throw planned
    }

    /** What is torn is in the file that was opened, whatever has its name now. */
    private fun tearing(file: BlockFile): BlockFile =
        if (blow != Blow.TEAR) {
            file
        } else {
            object : BlockFile by file {
                override fun write(position: Long, source: ByteBuffer) {
                    val half = ByteBuffer.allocate(source.remaining() / 2)
                    try {
                        file.write(position, source)
                    } catch (failure: IOException) {
                        if (failure === planned) file.write(position, half)
                        throw failure
                    }
                }
            }
        }

    /** The disk that the next program finds. The locks of this one are free, since its process has ended. */
    fun afterwards(random: Random): SimulatedDisk =
        when {
            !hasStruck -> disk
            blow == Blow.POWER -> disk.afterCrash(disk.crashOutcomes().random(random))
            else -> disk.afterCrash(CrashOutcome.losing(emptySet()))
        }

    override fun toString() = "$blow at an operation on ${name.ifEmpty { "any file" }}"

    companion object {
        private const val MOST_OF_ALL = 400
        private const val MOST_OF_A_NAME = 60
        private val NAMES = listOf("${Waves.FILE.fileName}", "data.sion", "manifest.json")

        fun draw(random: Random, disk: SimulatedDisk): DoorFault {
            if (random.nextBoolean()) return DoorFault(disk, Blow.POWER, "", random.nextInt(MOST_OF_ALL))
            val blow = Blow.entries.random(random)
            return DoorFault(disk, blow, NAMES.random(random), random.nextInt(MOST_OF_A_NAME))
        }
    }
}
