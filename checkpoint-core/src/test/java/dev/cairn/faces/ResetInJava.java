package dev.cairn.faces;

import dev.cairn.concentrate.Concentrators;
import dev.cairn.options.CheckpointOptions;
import dev.cairn.options.DataFiles;
import dev.cairn.options.DrainRule;
import dev.cairn.options.FailureGroups;
import dev.cairn.options.LocalCopies;
import dev.cairn.options.LostLocal;
import dev.cairn.options.OnFull;
import dev.cairn.options.SimulationOptions;
import dev.cairn.options.Wait;
import dev.cairn.options.WhenBusy;
import dev.cairn.sion.ForcePolicy;
import dev.cairn.sion.Grouping;
import dev.cairn.state.LostOutputs;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** Options in Java, whose settings get their defaults back by null. */
final class ResetInJava {
  private ResetInJava() {}

  static CheckpointOptions.Builder assigned() {
    return CheckpointOptions.builder()
        .files(DataFiles.count(2))
        .grouping(Grouping.none())
        .concentrators(Concentrators.perHost(1))
        .durability(ForcePolicy.NEVER)
        .limit(Duration.ofMinutes(1))
        .lostOutputs(LostOutputs.BEGIN_ANEW)
        .events(Path.of("events"))
        .wait(Wait.COPIED)
        .whenBusy(WhenBusy.SKIP)
        .local(Path.of("local"))
        .lostLocal(LostLocal.GO_ON)
        .localCopies(LocalCopies.exactly(1))
        .failureGroups(FailureGroups.matching("(rack.)"))
        .onFull(OnFull.SKIP)
        .drain(DrainRule.every(2))
        .endsAt(Instant.EPOCH)
        .timeLimit(Duration.ofHours(1))
        .blockSize(4096)
        .chunkSize(4096)
        .keepEvery(2)
        .snapshotMemory(1 << 20)
        .localLimit(1 << 20)
        .drainRate(1 << 20);
  }

  static CheckpointOptions reset() {
    CheckpointOptions.Builder builder =
        assigned()
            .files(null)
            .grouping(null)
            .concentrators(null)
            .durability(null)
            .limit(null)
            .lostOutputs(null)
            .events(null)
            .wait(null)
            .whenBusy(null)
            .local(null)
            .lostLocal(null)
            .localCopies(null)
            .failureGroups(null)
            .onFull(null)
            .drain(null)
            .endsAt(null)
            .timeLimit(null);
    builder.setBlockSize(null);
    builder.setChunkSize(null);
    builder.setKeepEvery(null);
    builder.setSnapshotMemory(null);
    builder.setLocalLimit(null);
    builder.setDrainRate(null);
    return builder.build();
  }

  static SimulationOptions resetSimulation() {
    SimulationOptions.Builder builder =
        SimulationOptions.builder()
            .directory(Path.of("x.cairn"))
            .dedicated(Concentrators.perHost(1))
            .everyTime(Duration.ofMinutes(1))
            .hostFailures(Duration.ofDays(100))
            .every(5)
            .overhead(0.1)
            .directory(null)
            .dedicated(null)
            .everyTime(null)
            .hostFailures(null);
    builder.setEvery(null);
    builder.setOverhead(null);
    return builder.build();
  }

  static CheckpointOptions limitedBy(Duration limit) {
    return CheckpointOptions.builder().limit(limit).build();
  }
}
