package dev.cairn.sion;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A multifile that is read with the help of its copies. It owns the open files. The caller that
 * opened it closes it.
 */
public final class BuddyView implements Closeable {
  private final GlobalView view;
  private final List<Replacement> replacements;

  BuddyView(GlobalView view, List<Replacement> replacements) {
    this.view = view;
    this.replacements = List.copyOf(replacements);
  }

  /** All tasks by their numbers, as in the multifile itself. Closed with this. */
  public GlobalView tasks() {
    return view;
  }

  /** The physical files that are read from a copy, in the order of their numbers. */
  public List<Replacement> replacements() {
    return replacements;
  }

  @Override
  public void close() throws IOException {
    view.close();
  }

  /**
   * A copy that stands for a physical file.
   *
   * @param fileNumber which one
   * @param copy what is read
   * @param trouble what is wrong with the original
   */
  public record Replacement(int fileNumber, Path copy, IOException trouble) {}
}
