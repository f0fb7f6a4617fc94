package dev.cairn.examples.parts;

import dev.cairn.options.CheckpointOptions;
import dev.cairn.options.DataFiles;
import java.time.Duration;

/** What a program says of its checkpoints, before a file and the environment are asked. */
public final class ConfiguredInJava {
  private ConfiguredInJava() {}

  /** What holds when a file and the environment were asked. */
  // region options
  public static CheckpointOptions options() {
    return CheckpointOptions.builder()
        .files(DataFiles.byGroup(rank -> rank / 8))
        .keepLast(3)
        .limit(Duration.ofMinutes(5))
        .build()
        .configured();
  }
  // endregion
}
