package dev.cairn.examples;

// region trial
import dev.cairn.testing.RestartTrial;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PendulumSpec {
  @Test
  void aRestartChangesNothing(@TempDir Path directory) {
    new RestartTrial(50_000).withEvery(25_000).runMain(directory, Pendulum.class.getName());
  }
}
// endregion
