// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.sim.flow.FlowNetwork;
import io.nitinol.core.sim.flow.LinkUsage;
import io.nitinol.core.sim.flow.TimerHeap;
import io.nitinol.toolkit.thread.OneThread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The time of a simulation, in picoseconds, and what is to happen when: timers that are set, and
 * flows of bytes that end. Timers of one time go off in the order in which they were added.
 */
@OneThread
final class SimulationClock {
  /** Of a microsecond. */
  static final double PICOS = 1e6;

  /** The time of what does not happen. */
  static final long NEVER = Long.MAX_VALUE;

  private final TimerHeap timers = new TimerHeap();
  private final List<Runnable> events = new ArrayList<>();
  private final FlowNetwork flows;
  private final List<Integer> flowTimers = new ArrayList<>();
  private final int headerBytes;
  private long now;

  /**
   * Creates a clock at 0.
   *
   * @param capacities of the links, in bytes per microsecond
   * @param usage what goes over the links over time; null where that is not kept
   */
  SimulationClock(double[] capacities, EngineCosts costs, @Nullable LinkUsage usage) {
    this.flows = new FlowNetwork(capacities, costs.incast(), this::flowEndsAt, usage);
    this.headerBytes = costs.headerBytes();
  }

  private void flowEndsAt(int flow, long time) {
    timers.set(flowTimers.get(flow), time);
  }

  long now() {
    return now;
  }

  /**
   * Adds a timer that is not set.
   *
   * @param event what happens each time that it goes off
   * @return its number
   */
  int addTimer(Runnable event) {
    events.add(event);
    return timers.add();
  }

  /** Lets a timer go off in so many picoseconds. */
  void setTimer(int timer, long picos) {
    setTimerAt(timer, now + picos);
  }

  void setTimerAt(int timer, long time) {
    timers.set(timer, time);
  }

  /**
   * Adds a flow that carries nothing.
   *
   * @param route its links
   * @param end what happens each time that it is through
   * @return its number
   */
  int addFlow(int[] route, Runnable end) {
    flowTimers.add(addTimer(end));
    return flows.add(route);
  }

  /** Lets a flow carry a message and its header from now on. */
  void startFlow(int flow, long bytes) {
    flows.start(flow, bytes + headerBytes, now);
  }

  /** Takes a flow that is through from its links. */
  void endFlow(int flow) {
    flows.end(flow, now);
  }

  /** Shares the links among the flows that there are now. */
  void settleFlows() {
    flows.settle(now);
  }

  /** Returns how many bytes have gone over a link. */
  double bytesOver(int link) {
    return flows.total(link);
  }

  /** Returns when the next timer goes off, or {@link #NEVER}. */
  long next() {
    return timers.isEmpty() ? NEVER : timers.time();
  }

  /** Goes to a time that is not after {@link #next}, and lets go off what is set to it. */
  void goTo(long time) {
    now = time;
    while (!timers.isEmpty() && timers.time() == now) {
      events.get(timers.poll()).run();
    }
  }
}
