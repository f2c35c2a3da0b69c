// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.sim.workload.CollectiveSpec;
import io.nitinol.core.sim.workload.Workload;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Predicts how long an all-reduce takes that has too many messages to be simulated: as soon as its
 * pipeline is full, each further round of chunks takes as long as the one before. Two shorter ones
 * with chunks of the same size are simulated, side by side on two threads, and what the second
 * takes longer is added once more for each further round.
 */
public final class Extrapolation {
  /** Rounds beyond those that fill the pipeline: as many chunks as a connection has slots. */
  private static final int SLOTS = 8;

  /**
   * What was predicted.
   *
   * @param end when the collective is done, in picoseconds
   * @param first the result of the shorter simulation
   * @param second that of the longer one
   * @param rounds how many rounds each of them and the whole have
   */
  public record Prediction(
      long end, SimulationResult first, SimulationResult second, List<Long> rounds) {}

  private Extrapolation() {}

  /**
   * Predicts.
   *
   * @param input a workload of a single collective
   * @return null where it is not such a workload or not such an all-reduce, or no shorter one is
   *     within {@code input.mostTransfers()}
   * @throws SimulationException when a shorter one cannot be simulated
   */
  public static @Nullable Prediction predict(Simulation.Input input, SimulationListener listener)
      throws SimulationException {
    List<Workload.Node> nodes = input.workload().nodes();
    CollectiveSpec spec = nodes.size() == 1 ? nodes.getFirst().collective() : null;
    if (spec == null || spec.collective() != Collective.ALL_REDUCE) {
      return null;
    }
    VirtualCommunicator comm = input.groups().getFirst();
    Choice choice = comm.choose(spec.collective(), spec.bytes());
    long unit = comm.roundBytes(choice) * choice.channels();
    long rounds = unit == 0 ? 0 : Math.ceilDiv(spec.bytes(), unit);
    // A tree's links are all busy when the first chunk has been at the root and is down again.
    long least = SLOTS + 2L * (32 - Integer.numberOfLeadingZeros(comm.ranks()));
    if (rounds < 4 * least) {
      return null;
    }
    Workload one = shorter(input.workload(), least * unit);
    Workload two = shorter(input.workload(), 2 * least * unit);
    if (!isChosen(comm, one, choice) || !isChosen(comm, two, choice)) {
      return null;
    }
    FutureTask<SimulationResult> beside =
        new FutureTask<>(() -> new Simulation(of(input, one), new SimulationListener() {}).run());
    Thread.ofPlatform().daemon().name("nitinol-sim").start(beside);
    SimulationResult second = new Simulation(of(input, two), listener).run();
    SimulationResult first = join(beside);
    long each = (second.end() - first.end()) / least;
    long end = second.end() + (rounds - 2 * least) * each;
    return new Prediction(end, first, second, List.of(least, 2 * least, rounds));
  }

  private static boolean isChosen(VirtualCommunicator comm, Workload workload, Choice choice) {
    CollectiveSpec spec = workload.nodes().getFirst().collective();
    return spec != null && comm.choose(spec.collective(), spec.bytes()).equals(choice);
  }

  private static SimulationResult join(FutureTask<SimulationResult> task)
      throws SimulationException {
    try {
      return task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SimulationException reason) {
        throw reason;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SimulationException("interrupted");
    }
  }

  private static Simulation.Input of(Simulation.Input input, Workload workload) {
    return new Simulation.Input(
        input.cluster(),
        input.groups(),
        workload,
        input.costs(),
        input.fold(),
        input.usage(),
        input.mostTransfers());
  }

  private static Workload shorter(Workload workload, long bytes) {
    Workload.Node node = workload.nodes().getFirst();
    CollectiveSpec spec = new CollectiveSpec(Collective.ALL_REDUCE, bytes, 0);
    return new Workload(
        workload.groups(),
        List.of(new Workload.Node(node.name(), node.group(), spec, 0, node.after())));
  }
}
