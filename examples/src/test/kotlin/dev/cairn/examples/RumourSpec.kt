package dev.cairn.examples

import dev.cairn.event.ExitCode
import dev.cairn.runSimulation
import dev.cairn.testing.RestartTrial
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.ints.shouldBeGreaterThan
import io.kotest.matchers.shouldBe
import java.nio.file.Path
import java.util.concurrent.ConcurrentHashMap

/** People who know others on other ranks, while the number of ranks changes under them. */
class RumourSpec :
    FunSpec({
        val directory = tempdir().toPath()

        suspend fun run(store: Path, rankCount: Int, until: Long): Map<Int, List<Any>> {
            val all = ConcurrentHashMap<Int, List<Any>>()
            runSimulation("rumour", arrayOf("--dir", "$store", "--ranks", "$rankCount")) {
                rumour(until).forEach { all[it.id] = listOf(it.heardAt, it.friends.map { friend -> friend.id }) }
            } shouldBe ExitCode.FINISHED
            return all
        }

        test("broken on 4 ranks and continued on 3 and on 1, it ends like an unbroken run") {
            val broken = directory.resolve("broken.cairn")
            run(broken, rankCount = 4, until = 20)
            run(broken, rankCount = 3, until = 50)
            val end = run(broken, rankCount = 1, until = 100)
            end shouldBe run(directory.resolve("unbroken.cairn"), rankCount = 2, until = 100)
            end.size shouldBe PERSON_COUNT
            end.values.count { (heardAt) -> heardAt != NEVER } shouldBeGreaterThan PERSON_COUNT / 2
        }

        test("a restart changes nothing") {
            RestartTrial(rankCount = 4, breakAt = 17, restartOn = listOf(1, 3, 4, 9)).run { rumour(until = 30) }
        }
    })
