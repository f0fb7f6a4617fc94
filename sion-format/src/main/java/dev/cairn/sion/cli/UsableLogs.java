package dev.cairn.sion.cli;

import dev.cairn.command.Refusal;
import dev.cairn.command.Shell;
import dev.cairn.sion.pnetcdf.BurstLogSet;
import dev.cairn.sion.store.BlockStore;
import java.util.List;

/** What must hold before the values in logs are used. */
final class UsableLogs {
  private UsableLogs() {}

  /**
   * Refuses logs that do not belong together; and those of which some are missing or damaged,
   * unless only the {@code available} ones are wanted. All reasons are said.
   */
  static void require(Shell<BlockStore> shell, BurstLogSet set, boolean available) throws Refusal {
    List<String> conflicts = set.conflicts();
    List<String> losses = set.losses();
    conflicts.forEach(conflict -> shell.say("sion: " + conflict));
    losses.forEach(loss -> shell.say("sion: " + loss));
    if (!conflicts.isEmpty()) {
      throw new Refusal(set.name() + ": the logs do not belong together, and nothing was done.");
    }
    if (!losses.isEmpty() && !available) {
      throw new Refusal(
          set.name()
              + ": the logs are not whole, and nothing was done. --available takes the rest.");
    }
  }
}
