// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

import io.nitinol.spi.device.v1.TeamExchange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Has the ranks of this process do something at once, a thread for each, and exchange bytes. */
final class LocalMeeting implements AutoCloseable {
  private static final long MINUTES = 1;

  private final int ranks;
  private final byte[][] told;
  private final CyclicBarrier barrier;
  private final ExecutorService threads;

  LocalMeeting(int ranks) {
    this.ranks = ranks;
    this.told = new byte[ranks][];
    this.barrier = new CyclicBarrier(ranks);
    this.threads = Executors.newFixedThreadPool(ranks, Thread.ofPlatform().daemon().factory());
  }

  /** Returns the exchange of one rank, where all ranks are in this process. */
  TeamExchange exchange(int rank) {
    return mine -> {
      try {
        told[rank] = mine.clone();
        barrier.await(MINUTES, TimeUnit.MINUTES);
        byte[][] all = told.clone();
        barrier.await(MINUTES, TimeUnit.MINUTES);
        return all;
      } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
        throw new IllegalStateException("the ranks did not meet", e);
      }
    };
  }

  /** Calls something on a thread for each rank; returns the results in their order. */
  <T> List<T> everywhere(IntFunction<T> call) {
    List<Future<T>> futures = new ArrayList<>();
    for (int i = 0; i < ranks; i++) {
      int index = i;
      futures.add(threads.submit(() -> call.apply(index)));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      try {
        results.add(future.get());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      } catch (ExecutionException e) {
        throw new IllegalStateException(String.valueOf(e.getCause()), e);
      }
    }
    return results;
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
