// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamExchange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** The ranks of a team in this process: rank r on device r, each with a thread for what meets. */
final class Ranks implements AutoCloseable {
  private final int ranks;
  private final byte[][] told;
  private final CyclicBarrier barrier;
  private final ExecutorService threads;
  private final List<DeviceTeam> teams;

  Ranks(int ranks) throws Exception {
    this.ranks = ranks;
    this.told = new byte[ranks][];
    this.barrier = new CyclicBarrier(ranks);
    this.threads = Executors.newFixedThreadPool(ranks);
    this.teams =
        everywhere(r ->
            Twin.device(r)
                .joinTeam(
                    new DeviceTeamConfig(
                        r,
                        Collections.nCopies(ranks, 0),
                        DeviceTeamConfig.DEFAULT_BLOCKS,
                        exchange(r))));
  }

  TeamExchange exchange(int rank) {
    return mine -> {
      try {
        told[rank] = mine.clone();
        barrier.await(1, TimeUnit.MINUTES);
        byte[][] all = told.clone();
        barrier.await(1, TimeUnit.MINUTES);
        return all;
      } catch (Exception e) {
        throw new IllegalStateException("the ranks did not meet", e);
      }
    };
  }

  /** Calls something on a thread for each rank, all at once. */
  <T> List<T> everywhere(IntFunction<T> call) throws Exception {
    List<Future<T>> futures = new ArrayList<>();
    for (int r = 0; r < ranks; r++) {
      int rank = r;
      futures.add(threads.submit((Callable<T>) () -> call.apply(rank)));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> future : futures) {
      try {
        results.add(future.get(1, TimeUnit.MINUTES));
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    }
    return results;
  }

  DeviceTeam get(int rank) {
    return teams.get(rank);
  }

  int size() {
    return ranks;
  }

  @Override
  public void close() {
    teams.forEach(DeviceTeam::close);
    threads.shutdownNow();
  }
}
