package dev.cairn.proof.crash

import dev.cairn.options.Wait
import dev.cairn.proof.log.quietly
import dev.cairn.sion.store.Access
import dev.cairn.sion.store.BlockFile
import dev.cairn.sion.store.BlockStore
import dev.cairn.store.SaveNames
import dev.cairn.store.Scene
import dev.cairn.store.name
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.maps.shouldBeEmpty
import io.kotest.matchers.maps.shouldNotBeEmpty
import java.nio.ByteBuffer
import java.nio.file.Path
import kotlin.random.Random

/** The mistakes that only a whole save can make; those of the store alone are sabotaged beside it. */
private enum class SaveSabotage {
    NONE,
    DATA_NOT_FORCED,
    ONE_HOST_DOES_NOT_FORCE,
    META1_FIRST,
}

/** The crashes of whole saves are worth something only if they find these mistakes. */
class SaveSabotageSpec :
    FunSpec({
        quietly()
        for ((sabotage, wait) in SaveSabotage.entries.flatMap { each -> FOUND_SOON.keys.map { each to it } }) {
            val isSound = sabotage == SaveSabotage.NONE
            val end = if (isSound) "no promise is broken" else "promises are broken, and it is seen"
            test("with sabotage $sabotage of saves that block the program until they are $wait, $end") {
                val crashes = SaveCrashes(Random(FOUND_SOON.getValue(wait)), mostOutcomes = 8)
                val begin =
                    suspend {
                        SimulatedProgram(Scene(), SEED, wait = wait) { host, door ->
                            SabotagedSave(host, door, sabotage)
                        }
                    }
                if (isSound) {
                    crashes.crashEverywhere(PHASES, STEPS, begin)
                } else {
                    crashes.crashUntilBroken(PHASES, STEPS, begin)
                }
                println("SaveSabotageSpec, $sabotage, $wait: $crashes")
                if (isSound) crashes.broken.shouldBeEmpty() else crashes.broken.shouldNotBeEmpty()
            }
        }
    })

/** The seeds with which the fewest crashes show each sabotage. */
private val FOUND_SOON = mapOf(Wait.COMMITTED to 15L, Wait.COPIED to 4L)
private const val SEED = 5L
private val PHASES = setOf(Phase.DATA, Phase.COMMIT)
private val STEPS = 1L..2L

private class SabotagedSave(
    private val host: String,
    private val target: BlockStore,
    private val sabotage: SaveSabotage,
) : BlockStore by target {
    override fun open(file: Path, access: Access): BlockFile {
        val opened = target.open(file, access)
        return if (file.name.startsWith(SaveNames.DATA) && access == Access.READ_WRITE) sabotaged(opened) else opened
    }

    private fun sabotaged(data: BlockFile) =
        when (sabotage) {
            SaveSabotage.NONE -> data
            SaveSabotage.DATA_NOT_FORCED -> Unforced(data)
            SaveSabotage.ONE_HOST_DOES_NOT_FORCE -> if (host == "node1") Unforced(data) else data
            SaveSabotage.META1_FIRST -> TailFirst(data)
        }
}

private class Unforced(file: BlockFile) : BlockFile by file {
    override fun force() = Unit
}

/** Holds the last write back until the next one; if that is META1's tail, the tail goes first, durably. */
private class TailFirst(private val file: BlockFile) : BlockFile by file {
    private var held: (() -> Unit)? = null

    override fun write(position: Long, source: ByteBuffer) {
        val bytes = ByteBuffer.allocate(source.remaining()).put(source).flip()
        if (bytes.remaining() == TAIL_SIZE && position in META1_TAILS) {
            file.write(position, bytes)
            file.force()
        } else {
            release()
            held = { file.write(position, bytes) }
        }
    }

    /** What is held back is not forced by those who come between it and the tail. */
    override fun force() {
        if (held == null) file.force()
    }

    override fun close() {
        release()
        file.force()
        file.close()
    }

    private fun release() {
        held?.invoke()
        held = null
    }

    private companion object {
        const val TAIL_SIZE = 12

        /** Behind META1's fixed part, and before the first chunk of so few tasks. */
        val META1_TAILS = 1076L..1151L
    }
}
