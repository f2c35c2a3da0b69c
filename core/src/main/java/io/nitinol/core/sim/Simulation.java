// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.recording.StepTransfers;
import io.nitinol.core.recording.Transfer;
import io.nitinol.core.recording.TransferRecorder;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.sim.cluster.SimulatedCluster;
import io.nitinol.core.sim.flow.LinkUsage;
import io.nitinol.core.sim.workload.CollectiveSpec;
import io.nitinol.core.sim.workload.Workload;
import io.nitinol.core.tuning.Choice;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lets virtual communicators do a workload on a clock of picoseconds. Messages share the links of
 * the cluster max-min fair, and everything else waits as in a run: a step for its message, for a
 * slot to send to and for the signals of its host, a collective for the one before on its
 * communicator and for what the workload says.
 *
 * <p>Where the cluster looks the same every {@code fold} ranks, and so does the collective, only
 * that many ranks are simulated: what a rank sends to one beyond them goes to the rank that the
 * receiver is like. The same input gives the same result, bit by bit.
 *
 * <p>What is kept grows with the ranks that are simulated and with what they have under way, not
 * with the messages.
 */
@OneThread
public final class Simulation {
  private static final long REPORT_EVERY = 1 << 18;
  private static final long FIRST_SLICE = 100_000;

  /**
   * What is simulated.
   *
   * @param cluster the cluster
   * @param groups by group of the workload, its communicator
   * @param workload what they do
   * @param costs what steps take
   * @param fold how many ranks stand for all; 0 simulates every rank
   * @param usage whether to keep what goes over the links over time
   * @param mostTransfers how many transfers may be simulated before it is given up
   */
  public record Input(
      SimulatedCluster cluster,
      List<VirtualCommunicator> groups,
      Workload workload,
      EngineCosts costs,
      int fold,
      boolean usage,
      long mostTransfers) {}

  /** A compute that ends. */
  private record Ending(long time, long number, int node, int rank) implements Comparable<Ending> {
    @Override
    public int compareTo(Ending other) {
      return time != other.time
          ? Long.compare(time, other.time)
          : Long.compare(number, other.number);
    }
  }

  private final Input input;
  private final EngineCosts costs;
  private final SimulationListener listener;
  private final @Nullable LinkUsage usage;
  private final SimulationClock clock;
  private final SimulatedConnections connections;
  private final ArrayDeque<StepRunner> queue = new ArrayDeque<>();
  private final PriorityQueue<Ending> endings = new PriorityQueue<>();
  private long endingNumber;
  private long transfers;
  private boolean tooMany;

  private final SimulatedRank[][] ranks;
  private final List<Map<Long, TeamState>> teams = new ArrayList<>();

  /** By GPU, pairs of a group and its rank there. */
  private final int[][] memberships;

  /** By node, what waits for it. */
  private final int[][] followers;

  /** By node and rank, for how many nodes it still waits; and when it began there. */
  private final int[][] waits;

  private final long[][] begins;
  private final long[] firstBegin;
  private final long[] lastEnd;
  private final long[] nodeTransfers;
  private final int[] openRanks;
  private final @Nullable Choice[] choices;
  private int openNodes;
  private int currentGroup;
  private int currentRank;
  private int currentNode;

  /** Prepares a simulation. */
  public Simulation(Input input, SimulationListener listener) {
    this.input = input;
    this.costs = input.costs();
    this.listener = listener;
    SimulatedCluster cluster = input.cluster();
    this.usage = input.usage() ? new LinkUsage(cluster.links(), FIRST_SLICE) : null;
    this.clock = new SimulationClock(cluster.capacities(), costs, usage);
    this.connections =
        new SimulatedConnections(cluster, input.groups(), costs, input.fold(), clock);
    Workload workload = input.workload();
    int nodes = workload.nodes().size();
    this.ranks = new SimulatedRank[workload.groups().size()][];
    this.memberships = memberships(cluster.gpus(), workload.groups());
    this.followers = followers(workload);
    this.waits = new int[nodes][];
    this.begins = new long[nodes][];
    this.firstBegin = new long[nodes];
    Arrays.fill(firstBegin, Long.MAX_VALUE);
    this.lastEnd = new long[nodes];
    this.nodeTransfers = new long[nodes];
    this.openRanks = new int[nodes];
    this.choices = new @Nullable Choice[nodes];
    this.openNodes = nodes;
    for (int g = 0; g < ranks.length; g++) {
      teams.add(new HashMap<>());
    }
    for (int i = 0; i < nodes; i++) {
      prepare(workload.nodes().get(i), i);
    }
    for (int g = 0; g < ranks.length; g++) {
      int[] mine = collectives(workload, g);
      ranks[g] = new SimulatedRank[size(g)];
      for (int r = 0; r < ranks[g].length; r++) {
        ranks[g][r] = new SimulatedRank(this, g, r, mine);
      }
    }
  }

  private static int[][] memberships(int gpus, List<Workload.Group> groups) {
    int[] counts = new int[gpus];
    groups.forEach(group -> Arrays.stream(group.gpus()).forEach(gpu -> counts[gpu]++));
    int[][] members = new int[gpus][];
    for (int g = 0; g < groups.size(); g++) {
      int[] list = groups.get(g).gpus();
      for (int r = 0; r < list.length; r++) {
        int[] row = members[list[r]];
        if (row == null) {
          row = new int[2 * counts[list[r]]];
          members[list[r]] = row;
        }
        int at = row.length - 2 * counts[list[r]]--;
        row[at] = g;
        row[at + 1] = r;
      }
    }
    return members;
  }

  private static int[][] followers(Workload workload) {
    int nodes = workload.nodes().size();
    List<List<Integer>> lists = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      lists.add(new ArrayList<>());
    }
    for (int i = 0; i < nodes; i++) {
      for (int before : workload.nodes().get(i).after()) {
        lists.get(before).add(i);
      }
    }
    return lists.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  private static int[] collectives(Workload workload, int group) {
    List<Integer> mine = new ArrayList<>();
    for (int i = 0; i < workload.nodes().size(); i++) {
      Workload.Node node = workload.nodes().get(i);
      if (node.group() == group && node.collective() != null) {
        mine.add(i);
      }
    }
    return mine.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns how many ranks of a group are simulated. */
  private int size(int group) {
    int all = input.groups().get(group).ranks();
    return input.fold() > 0 ? Math.min(input.fold(), all) : all;
  }

  private void prepare(Workload.Node node, int i) {
    int n = size(node.group());
    waits[i] = new int[n];
    begins[i] = new long[n];
    openRanks[i] = n;
    VirtualCommunicator comm = input.groups().get(node.group());
    for (int before : node.after()) {
      int group = input.workload().nodes().get(before).group();
      for (int gpu : input.workload().groups().get(group).gpus()) {
        int r = rankIn(node.group(), gpu);
        if (r >= 0 && r < n) {
          waits[i][r]++;
        }
      }
    }
    CollectiveSpec spec = node.collective();
    if (spec != null) {
      choices[i] = comm.choose(spec.collective(), spec.bytes());
    }
  }

  /** Returns the rank of a GPU in a group, or -1. */
  private int rankIn(int group, int gpu) {
    int[] row = memberships[gpu];
    for (int i = 0; row != null && i < row.length; i += 2) {
      if (row[i] == group) {
        return row[i + 1];
      }
    }
    return -1;
  }

  /**
   * Simulates until everything is done.
   *
   * @throws SimulationException where there are too many transfers
   */
  public SimulationResult run() throws SimulationException {
    List<Workload.Node> nodes = input.workload().nodes();
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).collective() == null) {
        for (int r = 0; r < waits[i].length; r++) {
          if (waits[i][r] == 0) {
            compute(i, r);
          }
        }
      }
    }
    for (SimulatedRank[] group : ranks) {
      for (SimulatedRank rank : group) {
        rank.tryBegin();
      }
    }
    runQueue();
    while (step()) {
      if (tooMany) {
        throw new SimulationException(
            ErrorText.of(
                "more than %d transfers after %.3f ms of simulated time; --most-transfers raises"
                    + " the limit",
                input.mostTransfers(), clock.now() / 1e9));
      }
    }
    if (openNodes > 0) {
      throw new SimulationException(ErrorText.of("the simulation stands still: %s", stuck()));
    }
    return result();
  }

  private String stuck() {
    for (int i = 0; i < openRanks.length; i++) {
      if (openRanks[i] > 0) {
        return input.workload().nodes().get(i).name()
            + " is not done on "
            + openRanks[i]
            + " of its ranks";
      }
    }
    return "nothing is left";
  }

  /** Goes to the next time at which something happens; returns whether there is one. */
  private boolean step() {
    Ending ending = endings.peek();
    long next = Math.min(clock.next(), ending == null ? SimulationClock.NEVER : ending.time());
    if (next == SimulationClock.NEVER) {
      return false;
    }
    clock.goTo(next);
    while (ending != null && ending.time() == clock.now()) {
      endings.remove();
      nodeDone(ending.node(), input.workload().nodes().get(ending.node()).group(), ending.rank());
      ending = endings.peek();
    }
    runQueue();
    return true;
  }

  private void runQueue() {
    while (!queue.isEmpty()) {
      queue.remove().run();
    }
    clock.settleFlows();
  }

  private SimulationResult result() {
    List<SimulationResult.NodeResult> results = new ArrayList<>();
    for (int i = 0; i < lastEnd.length; i++) {
      results.add(
          new SimulationResult.NodeResult(firstBegin[i], lastEnd[i], choices[i], nodeTransfers[i]));
    }
    double[] bytes = new double[input.cluster().links()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = clock.bytesOver(i);
    }
    int copies = input.fold() > 0 ? input.groups().getFirst().ranks() / input.fold() : 1;
    return new SimulationResult(clock.now(), results, transfers, copies, bytes, usage);
  }

  // What connections and lanes ask for.

  SimulationClock clock() {
    return clock;
  }

  EngineCosts costs() {
    return costs;
  }

  void queue(StepRunner lane) {
    queue.add(lane);
  }

  /** Returns what a step takes before its message is sent. */
  long timeBefore(SimulatedTask task) {
    StepKind kind = task.step.kind();
    double bytes = (double) task.step.count() * task.elementBytes();
    double micros = costs.stepMicros();
    if (task.isMessage()) {
      if (costs.networkRate() > 0) {
        micros += kind.receives() && task.from().networked ? bytes / costs.networkRate() : 0;
        micros += kind.sends() && task.to().networked ? bytes / costs.networkRate() : 0;
      }
      int others = task.teamSize() - 1;
      micros +=
          switch (kind) {
            case SEND, SEND_RESULT, RECV, COPY, PUT, PUT_RESULT -> bytes / costs.copyRate();
            case GET, GET_DIRECT -> bytes / memoryRate();
            case RECV_REDUCE_SEND,
                RECV_REDUCE_COPY,
                RECV_REDUCE_COPY_SEND,
                RECV_COMBINE_SEND,
                RECV_COMBINE_COPY,
                RECV_COMBINE_COPY_SEND ->
                bytes / costs.reduceRate();
            case FOLD, FOLD_PUT, FOLD_SLOT, FOLD_DIRECT_TO ->
                others * bytes / Math.min(costs.reduceRate(), memoryRate());
            case FOLD_DIRECT ->
                others
                    * (bytes / Math.min(costs.reduceRate(), memoryRate()) + bytes / memoryRate());
            case RECV_COPY_SEND, RECV_SEND, NOTHING -> 0;
          };
    }
    if (task.step.awaits() != Signal.NONE) {
      micros += costs.signalMicros();
    }
    return (long) Math.ceil(micros * SimulationClock.PICOS);
  }

  /** Returns how fast a rank reads the memory of others of its host. */
  private double memoryRate() {
    return costs.serial()
        ? costs.copyRate()
        : Math.min(costs.copyRate(), input.cluster().type(0).gpuRate());
  }

  /** Returns what a step takes after its message was sent. */
  long timeAfter(SimulatedTask task) {
    return switch (task.step.kind()) {
      case RECV_COPY_SEND, RECV_REDUCE_COPY_SEND, RECV_COMBINE_COPY_SEND ->
          (long)
              Math.ceil(
                  SimulationClock.PICOS
                      * task.step.count()
                      * CollectiveSpec.ELEMENT_BYTES
                      / costs.copyRate());
      default -> 0;
    };
  }

  /** A step of a rank is at the point where it moves what it moves. */
  void stepMoves(SimulatedRank rank, SimulatedTask task) {
    StepTransfers tells = task.transfers;
    if (tells == null || !task.isMessage()) {
      return;
    }
    currentGroup = rank.group();
    currentRank = rank.rank();
    currentNode = rank.node();
    VirtualCommunicator comm = input.groups().get(currentGroup);
    int host = comm.layout().host(currentRank);
    tells.step(task.step, task.teamSize(), m -> comm.layout().member(host, m));
  }

  private void count(Transfer transfer) {
    transfers++;
    nodeTransfers[currentNode]++;
    tooMany |= transfers > input.mostTransfers();
    listener.transfer(currentGroup, currentRank, transfer, clock.now());
    if ((transfers & (REPORT_EVERY - 1)) == 0) {
      listener.progress(transfers, clock.now());
    }
  }

  private final TransferRecorder counter = this::count;

  // What ranks ask for.

  boolean mayBegin(int node, int rank) {
    return waits[node][rank] == 0;
  }

  private void begins(int node, int rank) {
    begins[node][rank] = clock.now();
    firstBegin[node] = Math.min(firstBegin[node], clock.now());
  }

  private void compute(int node, int rank) {
    begins(node, rank);
    long picos = input.workload().nodes().get(node).picos();
    endings.add(new Ending(clock.now() + picos, endingNumber++, node, rank));
  }

  /** Takes note that a rank is done with a node, and begins what waited for that. */
  void nodeDone(int node, int group, int rank) {
    int gpu = input.groups().get(group).gpu(rank);
    lastEnd[node] = clock.now();
    listener.node(node, gpu, begins[node][rank], clock.now());
    openRanks[node]--;
    if (openRanks[node] == 0) {
      openNodes--;
    }
    for (int next : followers[node]) {
      Workload.Node follower = input.workload().nodes().get(next);
      int in = rankIn(follower.group(), gpu);
      if (in >= 0 && in < waits[next].length && --waits[next][in] == 0) {
        if (follower.collective() == null) {
          compute(next, in);
        } else {
          ranks[follower.group()][in].tryBegin();
        }
      }
    }
  }

  /** Makes the tasks of a rank for a collective. */
  List<SimulatedTask> begin(int node, long operation, SimulatedRank rank) {
    begins(node, rank.rank());
    int group = rank.group();
    VirtualCommunicator comm = input.groups().get(group);
    CollectiveSpec spec = Objects.requireNonNull(input.workload().nodes().get(node).collective());
    List<SimulatedTask> tasks = new ArrayList<>();
    if (!VirtualCommunicator.isScheduled(spec.collective())) {
      for (PairTransfer pair : PairTransfer.of(comm, spec, rank.rank())) {
        int channel = (rank.rank() + pair.peer()) % comm.channels();
        StepTransfers tells = new StepTransfers(rank.rank(), counter);
        tells.beginPairs(operation, channel);
        tasks.add(
            new SimulatedTask(
                pair,
                true,
                connections.of(group, rank.rank(), pair.sendPeers(), channel, true, true),
                connections.of(group, rank.rank(), pair.recvPeers(), channel, false, true),
                null,
                0,
                tells));
      }
      return tasks;
    }
    long count = spec.count(comm.ranks());
    Choice choice = Objects.requireNonNull(choices[node]);
    for (int channel = 0; count > 0 && channel < choice.channels(); channel++) {
      for (Schedule schedule : comm.schedules(spec, choice, rank.rank(), channel)) {
        StepTransfers tells = new StepTransfers(rank.rank(), counter);
        tells.begin(operation, spec.collective(), choice, channel, CollectiveSpec.ELEMENT_BYTES);
        tasks.add(
            new SimulatedTask(
                schedule,
                false,
                connections.of(group, rank.rank(), schedule.sendPeers(), channel, true, false),
                connections.of(group, rank.rank(), schedule.recvPeers(), channel, false, false),
                schedule.rounds() == 0 ? null : team(group, rank.rank(), channel, choice),
                comm.layout().index(rank.rank()),
                tells));
      }
    }
    return tasks;
  }

  private TeamState team(int group, int rank, int channel, Choice choice) {
    VirtualCommunicator comm = input.groups().get(group);
    int host = comm.layout().host(rank);
    long key = ((long) host * comm.channels() + channel) * 8 + choice.protocol().ordinal();
    return teams
        .get(group)
        .computeIfAbsent(
            key, _ -> new TeamState(comm.layout().size(host), comm.depth(choice.protocol())));
  }
}
