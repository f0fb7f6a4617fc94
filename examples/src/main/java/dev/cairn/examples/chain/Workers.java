package dev.cairn.examples.chain;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The worker threads, the same ones for the whole run, each behind an executor of its own. Of n
 * workers, worker w advances the chains w, w + n, w + 2n and so on.
 */
final class Workers implements AutoCloseable {
  private final List<Chain> chains;
  private final List<ExecutorService> executors = new ArrayList<>();

  Workers(List<Chain> chains, int count) {
    this.chains = chains;
    for (int i = 0; i < count; i++) {
      String name = "worker-" + i;
      executors.add(Executors.newSingleThreadExecutor(task -> new Thread(task, name)));
    }
  }

  /** Advances every chain by one sweep, and returns when all are done. */
  void advance(boolean adapt) {
    List<Future<?>> shares = new ArrayList<>();
    for (int i = 0; i < executors.size(); i++) {
      int worker = i;
      shares.add(executors.get(worker).submit(() -> advanceShare(worker, adapt)));
    }
    try {
      for (Future<?> share : shares) {
        share.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("A sweep was not completed.", e);
    }
  }

  private void advanceShare(int worker, boolean adapt) {
    for (int i = worker; i < chains.size(); i += executors.size()) {
      chains.get(i).advance(adapt);
    }
  }

  @Override
  public void close() {
    executors.forEach(ExecutorService::shutdown);
  }
}
