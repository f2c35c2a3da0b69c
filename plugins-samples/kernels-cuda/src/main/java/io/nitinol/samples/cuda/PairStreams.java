// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.spi.device.v1.Device;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A stream and an event for each pair of a rank, so that transfers with several peers do not wait
 * for each other. They are made with the team: the driver makes none while 32 streams wait, and a
 * launch must not wait.
 */
final class PairStreams {
  /**
   * How many a device has for all teams: more streams than it has queues would wait for each other,
   * and the caller has some, too. A team that gets none puts its pairs into the caller's stream one
   * after the other.
   */
  private static final int MOST = 24;

  /** How many of them a device has left. Any thread. */
  static final class Budget {
    private final AtomicInteger left = new AtomicInteger(MOST);

    /** Takes so many, or none where there are not as many. */
    boolean take(int streams) {
      return left.getAndUpdate(now -> now < streams ? now : now - streams) >= streams;
    }

    void giveBack(int streams) {
      left.addAndGet(streams);
    }
  }

  /**
   * The stream of a pair.
   *
   * @param stream where its transfers go
   * @param end recorded behind them
   */
  record Pair(CudaStream stream, CudaEvent end) {}

  private final Budget budget;
  private final int taken;
  private final @Nullable Pair[] pairs;
  private @Nullable CudaEvent begin;

  private PairStreams(Budget budget, int taken, int ranks) {
    this.budget = budget;
    this.taken = taken;
    this.pairs = new Pair[ranks];
  }

  /**
   * Makes the streams of a rank, or none where transfers go with one peer at a time anyway, or the
   * device has no more.
   *
   * @param blocks how many blocks the team runs at once: each pair that runs beside others has one
   *     at least
   * @param sharing how many ranks of the team are on one device
   * @throws io.nitinol.spi.device.v1.DeviceException where the driver makes none; then all are
   *     given back
   */
  static PairStreams open(
      Device device,
      CudaContext context,
      Budget budget,
      int rank,
      int ranks,
      int blocks,
      int sharing) {
    int wanted = ranks - 1;
    boolean useful = wanted > 1 && wanted <= blocks && sharing * wanted <= MOST;
    int taken = useful && budget.take(wanted) ? wanted : 0;
    PairStreams made = new PairStreams(budget, taken, ranks);
    boolean complete = false;
    try {
      if (taken > 0) {
        made.begin = CudaEvent.create(device, context, false);
        for (int r = 0; r < ranks; r++) {
          if (r != rank) {
            made.add(device, context, r);
          }
        }
      }
      complete = true;
      return made;
    } finally {
      if (!complete) {
        made.close();
      }
    }
  }

  private void add(Device device, CudaContext context, int peer) {
    CudaStream stream = CudaStream.create(device, context, false);
    try {
      pairs[peer] = new Pair(stream, CudaEvent.create(device, context, false));
    } finally {
      if (pairs[peer] == null) {
        stream.close();
      }
    }
  }

  /** {@return the event recorded before the pairs begin; null where there are no streams} */
  @Nullable CudaEvent begin() {
    return begin;
  }

  /** Returns the stream of the pair with a peer, where there are streams and it is another rank. */
  Pair of(int peer) {
    Pair pair = pairs[peer];
    if (pair == null) {
      throw CudaFailures.state("rank %d has no stream of its own", peer);
    }
    return pair;
  }

  /** Closes all of them, once. */
  void close() {
    ClosingSteps steps = new ClosingSteps();
    if (begin != null) {
      steps.run(begin::close);
    }
    for (Pair pair : pairs) {
      if (pair != null) {
        steps.run(pair.end::close);
        steps.run(pair.stream::close);
      }
    }
    budget.giveBack(taken);
    steps.finish();
  }
}
