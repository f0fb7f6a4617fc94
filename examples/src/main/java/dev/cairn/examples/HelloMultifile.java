package dev.cairn.examples;

import dev.cairn.sion.ChunkInput;
import dev.cairn.sion.ChunkOutput;
import dev.cairn.sion.Multifile;
import dev.cairn.sion.MultifileSpec;
import dev.cairn.sion.MultifileWriter;
import dev.cairn.sion.TaskRequest;
import dev.cairn.sion.TaskView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Four tasks write one file, each as much as it likes; then each one's bytes are read and checked.
 */
public final class HelloMultifile {
  private static final int TASK_COUNT = 4;
  private static final int CHUNK_SIZE = 512;

  private HelloMultifile() {}

  /** Takes the name of the multifile to write. */
  public static void main(String[] args) throws IOException {
    Path path = Path.of(args.length > 0 ? args[0] : "hello.sion");
    write(path);
    System.out.printf("%d tasks wrote %s.%n", TASK_COUNT, path);
    for (int task = 0; task < TASK_COUNT; task++) {
      System.out.println(check(path, task));
    }
  }

  // region hello
  static void write(Path path) throws IOException {
    MultifileSpec spec = MultifileSpec.serial(path).withBlockSize(CHUNK_SIZE);
    var requests = TaskRequest.equal(TASK_COUNT, CHUNK_SIZE);
    try (MultifileWriter writer = MultifileWriter.create(spec, requests)) {
      for (int task = 0; task < TASK_COUNT; task++) {
        try (ChunkOutput stream = writer.task(task).stream()) {
          stream.write(stones(task)); // a full chunk goes on in the next block
        }
      }
      writer.finish();
    }
  }

  static byte[] read(Path path, int task) throws IOException {
    try (TaskView view = Multifile.openTask(path, task);
        ChunkInput stream = view.stream()) {
      return stream.readAllBytes();
    }
  }

  // endregion

  /** The stones that a task lays: more than one chunk holds, but for task 0. */
  static byte[] stones(int task) {
    return IntStream.rangeClosed(1, 20 + 30 * task)
        .mapToObj(stone -> String.format("task %d lays stone %d\n", task, stone))
        .collect(Collectors.joining())
        .getBytes(StandardCharsets.UTF_8);
  }

  private static String check(Path path, int task) throws IOException {
    byte[] found = read(path, task);
    if (!Arrays.equals(found, stones(task))) {
      throw new IllegalStateException(path + ": task " + task + " reads what it did not write.");
    }
    return String.format("Task %d reads its %d bytes back, as written.", task, found.length);
  }
}
