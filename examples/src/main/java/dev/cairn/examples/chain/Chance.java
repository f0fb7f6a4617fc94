package dev.cairn.examples.chain;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All the random numbers of a run.
 *
 * <p>The main thread has one generator. Each worker thread has its own, found by the thread's name,
 * so that the numbers a worker draws do not depend on how the threads happen to be scheduled.
 */
final class Chance {
  private static final long NAME_FACTOR = 0x9E3779B97F4A7C15L;

  private static Random main = new Random(0);
  private static final Map<String, Random> WORKERS = new ConcurrentHashMap<>();
  private static volatile long workerSeed;

  private Chance() {}

  /** Sets the seed from which the workers' generators are made, and forgets those made before. */
  static void seedWorkers(long seed) {
    workerSeed = seed;
    WORKERS.clear();
  }

  /** The generator of the main thread; no other thread may use it. */
  static Random main() {
    return main;
  }

  /** The generator of the worker thread that calls. */
  static Random worker() {
    return WORKERS.computeIfAbsent(
        Thread.currentThread().getName(),
        name -> new Random(workerSeed + NAME_FACTOR * name.hashCode()));
  }
}
