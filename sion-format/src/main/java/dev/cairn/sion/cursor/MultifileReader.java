package dev.cairn.sion.cursor;

import dev.cairn.sion.GlobalView;
import dev.cairn.sion.failure.SionException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * One program reads the streams of all tasks, in any order. Each read continues at the task's
 * position, as with a C handle for reading. It owns only positions; the caller that opened the view
 * closes it.
 *
 * <p>One thread at a time, but any number of readers can share a view, each with its own positions.
 */
public final class MultifileReader {
  private final GlobalView view;
  private final Map<Integer, ChunkCursor> chunks = new HashMap<>();
  private final Map<Integer, KeyCursor> records = new HashMap<>();

  private MultifileReader(GlobalView view) {
    this.view = view;
  }

  /** A reader whose tasks all stand at their starts. */
  public static MultifileReader of(GlobalView view) {
    return new MultifileReader(view);
  }

  public int taskCount() {
    return view.taskCount();
  }

  /** The cursor of a task's plain bytes; always the same one. */
  public ChunkCursor task(int task) {
    return chunks.computeIfAbsent(task, number -> ChunkCursor.over(view.task(number)));
  }

  /**
   * The cursor of a task's records; always the same one. The first call walks over their headers.
   *
   * @throws IllegalStateException if the multifile holds plain bytes
   * @throws SionException if the stream is not a row of whole records
   */
  public KeyCursor records(int task) throws IOException {
    KeyCursor known = records.get(task);
    if (known != null) {
      return known;
    }
    KeyCursor found = KeyCursor.over(view.task(task).records());
    records.put(task, found);
    return found;
  }
}
