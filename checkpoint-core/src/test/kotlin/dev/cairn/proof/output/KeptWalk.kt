package dev.cairn.proof.output

import dev.cairn.sion.store.BlockStore
import dev.cairn.sion.store.BlockStore.Operation.Kind
import dev.cairn.sion.store.ForwardingStore
import dev.cairn.sion.store.simulated.SimulatedDisk
import dev.cairn.store.DIRECTORY
import dev.cairn.store.name
import dev.cairn.store.withParent
import io.kotest.assertions.withClue
import io.kotest.matchers.shouldBe
import kotlin.random.Random

/**
 * A program that starts from any save or anew, on courses that often agree, makes saves and deletes old ones, while its user pins and
 * deletes others, and the power fails at any moment.
 */
internal class KeptWalk(private val random: Random) {
    private var disk = SimulatedDisk().withParent()
    private var course = KeptCourse(disk.host("node0"))

    /** How many kept files were deleted. */
    var deleted = 0
        private set

    suspend fun go() {
        course.start("a", saves = 3)
        repeat(STARTS) {
            val before = keptFiles()
            start()
            change()
            deleted += (before - keptFiles()).size
        }
        course.requireAll(random)
    }

    private fun keptFiles() =
        course.texts.keys
            .filter { ".save-" in it }
            .toSet()

    private suspend fun start() {
        val number = course.numbers.random(random).takeIf { random.nextInt(4) > 0 }
        val isFresh = number == null && random.nextInt(2) == 0
        val line = LINES.random(random)
        val saves = random.nextInt(3)
        val kept = random.nextInt(2, 6)
        val unsaved = "${LINES.random(random)}${random.nextInt(5)}".takeIf { random.nextBoolean() }
        val expected = if (isFresh) "" else course.saved.getValue(number ?: course.numbers.max())
        val isWhole = random.nextInt(5) > 1

        suspend fun KeptCourse.begin() =
            start(line, saves, unsaved) {
                from = number
                fresh = isFresh
                keepLast = kept
            }
        if (isWhole) {
            withClue("save $number, ${course.outputs}") {
                course.orRenamed(expected) { course.begin() } shouldBe
                    expected
            }
        } else {
            failing { begin() }
        }
    }

    /** The power fails during [work], or after it. */
    private suspend fun failing(work: suspend KeptCourse.() -> Unit) {
        val failing = course.on(Door())
        if (random.nextBoolean()) disk.crashAt(disk.operationCount() + random.nextInt(1, 120))
        runCatching { failing.work() }
        disk = disk.afterCrash(disk.crashOutcomes().random(random))
        course = failing.on(disk.host("node0"))
        if (random.nextBoolean()) {
            course.numbers
                .takeLast(random.nextInt(4))
                .reversed()
                .forEach(::remove)
        }
    }

    private fun change() {
        val number = course.numbers.random(random)
        when (random.nextInt(4)) {
            0 -> course.cairn("pin", "$DIRECTORY", "$number")
            1 -> course.cairn("unpin", "$DIRECTORY", "$number")
            2 -> remove(number)
        }
    }

    private fun remove(number: Int) {
        if (course.numbers.size > 1) course.rm(number)
    }

    /** The power fails at one of the operations around the first rename of a file of the output. */
    private inner class Door : ForwardingStore(disk.host("node0")) {
        private val distance = random.nextInt(1, 5)
        private var isAhead = true

        override fun onOperation(operation: BlockStore.Operation) {
            val isRename = operation.kind() == Kind.RENAME && operation.path().name.startsWith(KeptCourse.LOG.name)
            if (isAhead && isRename) disk.crashAt(disk.operationCount() + distance)
            isAhead = isAhead && !isRename
        }
    }

    private companion object {
        const val STARTS = 14

        val LINES = listOf("a", "a", "b")
    }
}
