package dev.cairn.examples;

import dev.cairn.java.BlockingRanks;
import dev.cairn.sion.ChunkOutput;
import dev.cairn.sion.GlobalView;
import dev.cairn.sion.MultifileSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Six ranks write one multifile together; two others share its tasks and read them all. */
public final class HelloRanks {
  private static final int WRITER_COUNT = 6;
  private static final int READER_COUNT = 2;
  private static final int CHUNK_SIZE = 512;

  private HelloRanks() {}

  /** Takes the name of the multifile to write. */
  public static void main(String[] args) {
    Path path = Path.of(args.length > 0 ? args[0] : "hello-ranks.sion");
    write(path, WRITER_COUNT);
    System.out.printf("%d ranks wrote %s.%n", WRITER_COUNT, path);
    List<List<String>> found = read(path, READER_COUNT);
    for (int rank = 0; rank < READER_COUNT; rank++) {
      System.out.printf("Rank %d of %d found %s.%n", rank, READER_COUNT, found.get(rank));
    }
  }

  // region hello-ranks
  static void write(Path path, int rankCount) {
    MultifileSpec spec = MultifileSpec.parallel(path);
    BlockingRanks.run(
        rankCount,
        ranks ->
            ranks.writeMultifile(
                spec,
                CHUNK_SIZE,
                chunks -> {
                  try (ChunkOutput stream = chunks.stream()) {
                    stream.write(stones(ranks.rank()));
                  }
                }));
  }

  /**
   * However many ranks wrote: rank 0 reads the first task, rank 1 the second one, and so on, in
   * turns.
   */
  static List<List<String>> read(Path path, int rankCount) {
    return BlockingRanks.call(
        rankCount,
        ranks ->
            ranks.readMultifile(
                path,
                view -> {
                  List<String> found = new ArrayList<>();
                  for (int task = ranks.rank(); task < view.taskCount(); task += ranks.size()) {
                    found.add(lastStone(view, task));
                  }
                  return found;
                }));
  }

  // endregion

  /** The stones that a rank lays: more than one chunk holds, but for rank 0. */
  static byte[] stones(int rank) {
    return IntStream.rangeClosed(1, 20 + 30 * rank)
        .mapToObj(stone -> String.format("rank %d lays stone %d", rank, stone))
        .collect(Collectors.joining("\n"))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String lastStone(GlobalView view, int task) throws IOException {
    String stones = new String(view.task(task).stream().readAllBytes(), StandardCharsets.UTF_8);
    return stones.substring(stones.lastIndexOf('\n') + 1);
  }
}
