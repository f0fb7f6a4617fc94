package dev.cairn.examples.guide

import dev.cairn.ranks.ranks
import dev.cairn.ranks.runRanks
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.runTest
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

/** The one spec that is not Kotest's: what the guide says of JUnit is run by JUnit. */
class FirstJUnitSpec {
    // region first-junit-test
    @Test
    fun everyRankReceivesFromItsLeftNeighbour() {
        val received = runRanks(4) { passRight(10L * rank) }

        assertEquals(listOf(30L, 0L, 10L, 20L), received)
    }

    // endregion

    // region anywhere
    @Test
    fun ranksRunInsideRunTest() =
        runTest {
            assertEquals(listOf(2L, 0L, 1L), ranks(3) { passRight(rank.toLong()) })
        }

    @Test
    fun ranksRunBesideOtherCoroutines() =
        runTest {
            coroutineScope {
                launch { ranks(3) { barrier() } }
                launch { ranks(5) { barrier() } }
            }
        }

    // endregion
}
