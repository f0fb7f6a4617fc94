package dev.cairn.sion.store;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs each task at once in the thread that hands it in, so an asynchronous channel works without a
 * pool and without a change of thread. It is stateless and needs no shutdown.
 */
final class CallerRuns extends AbstractExecutorService {
  static final CallerRuns INSTANCE = new CallerRuns();

  private CallerRuns() {}

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public void shutdown() {
    throw new UnsupportedOperationException("all open files share this executor");
  }

  @Override
  public List<Runnable> shutdownNow() {
    throw new UnsupportedOperationException("all open files share this executor");
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return false;
  }
}
