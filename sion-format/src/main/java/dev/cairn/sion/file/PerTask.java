package dev.cairn.sion.file;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** Something that each task has, made when it is first asked for. It belongs to one thread. */
public final class PerTask<T> {
  private final IntFunction<T> make;
  private final Map<Integer, T> made = new HashMap<>();

  /** Nothing is made yet. */
  public PerTask(IntFunction<T> make) {
    this.make = make;
  }

  /** The task's object; always the same one. */
  public T of(int task) {
    return made.computeIfAbsent(task, make::apply);
  }

  /** The task's object, if it was made before. */
  public Optional<T> ifMade(int task) {
    return Optional.ofNullable(made.get(task));
  }
}
