package dev.cairn.sion.pnetcdf;

import dev.cairn.sion.store.BlockStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of the two files of a log: {@code ckpt.nc_0_17.meta} and {@code ckpt.nc_0_17.data}.
 *
 * @param directory where they are
 * @param target the last name of the NetCDF file
 * @param handle the number under which the program had that file open
 * @param rank the process that wrote the log, or the first one of those that share it
 */
public record BurstLogName(Path directory, String target, int handle, int rank)
    implements Comparable<BurstLogName> {
  private static final Pattern NAME =
      Pattern.compile(
          "(?<target>.+)_(?<handle>0|[1-9][0-9]{0,8})_(?<rank>0|[1-9][0-9]{0,8})\\.(meta|data)",
          Pattern.DOTALL);

  /** The log to which a file belongs; empty if its name is not that of a log. */
  public static Optional<BurstLogName> of(Path file) {
    Path name = file.getFileName();
    Matcher matcher = NAME.matcher(name == null ? "" : name.toString());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    Path parent = file.getParent();
    return Optional.of(
        new BurstLogName(
            parent == null ? Path.of("") : parent,
            matcher.group("target"),
            Integer.parseInt(matcher.group("handle")),
            Integer.parseInt(matcher.group("rank"))));
  }

  /** The logs in {@code directory}, sorted; one of whose files is missing is among them. */
  public static List<BurstLogName> listIn(BlockStore store, Path directory) throws IOException {
    return store.list(directory).stream()
        .flatMap(file -> of(file).stream())
        .sorted()
        .distinct()
        .toList();
  }

  /** The file that describes the puts. */
  public Path meta() {
    return directory.resolve(program() + "_" + rank + ".meta");
  }

  /** The file that holds the values. */
  public Path data() {
    return directory.resolve(program() + "_" + rank + ".data");
  }

  /** What the names of all logs begin with that one program left for one NetCDF file. */
  public String program() {
    return target + "_" + handle;
  }

  @Override
  public int compareTo(BurstLogName other) {
    int byProgram = program().compareTo(other.program());
    return byProgram == 0 ? Integer.compare(rank, other.rank) : byProgram;
  }
}
