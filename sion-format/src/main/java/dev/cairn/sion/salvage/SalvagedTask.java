package dev.cairn.sion.salvage;

import dev.cairn.sion.TaskPlace;
import dev.cairn.sion.TaskView;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One task of a broken multifile: whether it can be read, and how long its stream is or can be. It
 * owns nothing; the view that it comes from does. Any thread may call it.
 */
public final class SalvagedTask {
  private final int task;
  private final TaskPlace place;
  private final FoundFile file;

  SalvagedTask(int task, TaskPlace place, FoundFile file) {
    this.task = task;
    this.place = place;
    this.file = file;
  }

  /** Its number in the view; {@link SalvageView#numbers} says whether it is the writer's. */
  public int task() {
    return task;
  }

  /** Where its stream lies. */
  public TaskPlace place() {
    return place;
  }

  /** The number by which the writing program knew it; nothing if its file is lost. */
  public OptionalLong globalRank() {
    return file.head().isPresent()
        ? OptionalLong.of(file.head().get().columns().globalRank(place.localRank()))
        : OptionalLong.empty();
  }

  /** Why it cannot be read; nothing if it can. */
  public Optional<IOException> trouble() {
    return file.head().isPresent() ? Optional.empty() : file.finding().trouble();
  }

  /** Whether its length is known to the byte. */
  public boolean isExact() {
    return trouble().isEmpty() && size(Lengths.LEAST) == size(Lengths.MOST);
  }

  /** The length of its stream, which is 0 if it cannot be read. */
  public long size(Lengths lengths) {
    return file.size(place.localRank(), lengths);
  }

  /** A remark on a length that was derived from the bytes; may be empty. */
  public String remark() {
    return file.remark(place.localRank());
  }

  /**
   * Its stream with this length. Closing it does nothing.
   *
   * @throws IOException the trouble, if it cannot be read
   */
  public TaskView read(Lengths lengths) throws IOException {
    return new SalvagedStream(task, file.assume(lengths), place.localRank());
  }
}
