package dev.cairn.examples.town.rows;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** Holds the events to come, in the order of time, then priority, then sequence number. */
final class Scheduler {
  private static final Comparator<Entry> ORDER =
      Comparator.comparingLong(Entry::time)
          .thenComparingInt(Entry::priority)
          .thenComparingLong(Entry::sequence);

  final PriorityQueue<Entry> queue = new PriorityQueue<>(ORDER);
  private long added;
  long handled;

  record Entry(long time, int priority, long sequence, Event event) {}

  void add(long time, Event event) {
    queue.add(new Entry(time, event.priority(), ++added, event));
  }

  void put(List<Entry> entries) {
    queue.clear();
    queue.addAll(entries);
  }

  boolean hasEventBefore(long time) {
    return !queue.isEmpty() && queue.peek().time() < time;
  }

  /** Takes out the next event and sets the clock to its time. */
  Event next() {
    Entry entry = queue.remove();
    Clock.TOWN.advanceTo(entry.time());
    handled++;
    return entry.event();
  }
}
