package dev.cairn.sion.cli;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.cairn.command.Refusal;
import dev.cairn.sion.log.LogReader;
import dev.cairn.sion.pnetcdf.BurstLogName;
import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The logs that arguments of {@code sion log} name.
 *
 * @param pnetcdf those of PnetCDF's burst buffers, each once, although both of its files may be
 *     named
 * @param cairn the directories of our own logs
 */
record FoundLogs(Set<BurstLogName> pnetcdf, List<Path> cairn) {

  /**
   * Takes each argument as a log file of PnetCDF, a directory of them, one log of ours, or several.
   */
  static FoundLogs of(BlockStore store, List<String> arguments) throws IOException {
    FoundLogs found = new FoundLogs(new LinkedHashSet<>(), new ArrayList<>());
    for (String argument : arguments) {
      found.add(store, Path.of(argument));
    }
    return found;
  }

  private void add(BlockStore store, Path path) throws IOException {
    List<BurstLogName> names = namesAt(store, path);
    pnetcdf.addAll(names);
    List<Path> own = names.isEmpty() ? ownLogsAt(store, path) : List.of();
    cairn.addAll(own);
    if (names.isEmpty() && own.isEmpty()) {
      throw new Refusal(
          path
              + ": there are no logs, neither of PnetCDF (such as ckpt.nc_0_0.meta) nor of Cairn"
              + " (s000000.log). Check the name.");
    }
  }

  private static List<BurstLogName> namesAt(BlockStore store, Path path) throws IOException {
    try {
      return BurstLogName.listIn(store, path);
    } catch (NotDirectoryException file) {
      return BurstLogName.of(path).stream().toList();
    }
  }

  private static List<Path> ownLogsAt(BlockStore store, Path path) throws IOException {
    if (LogReader.isLog(store, path)) {
      return List.of(path);
    }
    List<Path> logs = new ArrayList<>();
    for (Path child : childrenOf(store, path)) {
      if (LogReader.isLog(store, child)) {
        logs.add(child);
      }
    }
    return logs;
  }

  private static List<Path> childrenOf(BlockStore store, Path path) throws IOException {
    try {
      return store.list(path);
    } catch (NotDirectoryException file) {
      return List.of();
    }
  }

  /** All of them, for verbs that look at logs of both formats. */
  List<Inspection.Opening> all() {
    return Stream.concat(programs().stream(), ownLogs().stream()).toList();
  }

  /** The logs of PnetCDF, those of each program together. */
  List<Inspection.Opening> programs() {
    return byProgram().values().stream().map(FoundLogs::ofProgram).toList();
  }

  /** Those of one program and NetCDF file belong together. */
  private Map<String, List<BurstLogName>> byProgram() {
    return pnetcdf.stream().collect(groupingBy(BurstLogName::program, TreeMap::new, toList()));
  }

  private static Inspection.Opening ofProgram(List<BurstLogName> names) {
    return store -> new BurstLogs(store, names);
  }

  /** The logs of Cairn. */
  List<Inspection.Opening> ownLogs() {
    return cairn.stream().map(FoundLogs::ownLog).toList();
  }

  private static Inspection.Opening ownLog(Path directory) {
    return store -> new CairnLog(store, directory);
  }

  /** The logs of PnetCDF of one program, for verbs that work on no others. */
  List<BurstLogName> ofPnetcdf() throws Refusal {
    if (!cairn.isEmpty()) {
      throw new Refusal(
          cairn.get(0)
              + ": it is a log of Cairn. 'sion log export' makes logs of PnetCDF of such logs.");
    }
    return ofOneProgram();
  }

  /** The logs of PnetCDF, which are of one program. */
  List<BurstLogName> ofOneProgram() throws Refusal {
    Set<String> programs = byProgram().keySet();
    if (programs.size() > 1) {
      throw new Refusal(
          String.format(
              "there are logs of several programs or NetCDF files, %s. Name the files of one.",
              String.join(", ", programs)));
    }
    return List.copyOf(pnetcdf);
  }

  /** The logs of Cairn, for verbs that work on no others. */
  List<Path> ofCairn() throws Refusal {
    if (!pnetcdf.isEmpty()) {
      throw new Refusal(
          byProgram().values().iterator().next().get(0).meta()
              + ": it is a log of PnetCDF. 'sion log replay' and 'sion log extract' take it as it"
              + " is.");
    }
    return cairn;
  }
}
