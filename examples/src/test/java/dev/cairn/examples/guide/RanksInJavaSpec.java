package dev.cairn.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.java.BlockingRanks;
import dev.cairn.ranks.RankPlan;
import dev.cairn.ranks.RankPlan.Fault;
import dev.cairn.ranks.RankPlan.Schedule;
import dev.cairn.ranks.RunFailedException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the guide says of Java, run by JUnit. */
class RanksInJavaSpec {
  // region java
  @Test
  void everybodyAddsOne() {
    List<Long> sums = BlockingRanks.call(4, ranks -> ranks.allReduce(1, Long::sum));

    assertEquals(List.of(4L, 4L, 4L, 4L), sums);
  }

  @Test
  void aRankThatDiesIsMissed() {
    RankPlan plan =
        new RankPlan(4)
            .withSchedule(new Schedule.Deterministic(7))
            .withFaults(List.of(new Fault.RankDies(2, 3)));

    RunFailedException failure =
        assertThrows(
            RunFailedException.class,
            () ->
                BlockingRanks.run(
                    plan,
                    ranks -> {
                      for (int step = 0; step < 5; step++) {
                        ranks.barrier();
                      }
                    }));

    assertTrue(failure.getMessage().contains("barrier #3 of world: rank 2 did not arrive"));
  }
  // endregion
}
