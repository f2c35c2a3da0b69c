// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.core.launch.JvmCommand;
import io.nitinol.netns.BadNetwork;
import io.nitinol.netns.Namespace;
import io.nitinol.netns.Unavailable;
import io.nitinol.netns.Veth;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The workers for one carrier, and the switch or the network that they need. */
final class Farm implements AutoCloseable {
  private static final int START_SECONDS = 60;

  private static final Pattern LISTENS =
      Pattern.compile("^nitinol switch: listening at ([^\\s,]+)");

  private final RoundCarrier carrier;
  private final Path directory;
  private final @Nullable WallClock clock;
  private final ChaosPace pace;
  private final Map<String, WorkerProcess> workers = new HashMap<>();

  /** When workers were killed, by their process. */
  private final Map<Long, Long> killed = new HashMap<>();

  private int started;
  private @Nullable Veth cable;
  private @Nullable BadNetwork link;
  private @Nullable Process switching;
  private String switchAddress = "";

  /**
   * Makes what the carrier needs, but no worker yet.
   *
   * @param directory for logs
   * @param clock moves workers' wall clocks; null where that cannot be done
   * @param pace of this machine
   * @throws Unavailable when the machine does not permit it
   */
  Farm(RoundCarrier carrier, Path directory, @Nullable WallClock clock, ChaosPace pace, long seed)
      throws IOException, Unavailable {
    this.carrier = carrier;
    this.directory = directory;
    this.clock = clock;
    this.pace = pace;
    switch (carrier) {
      case CABLE -> cable = Veth.open();
      case BAD_LINK ->
          link =
              BadNetwork.between(
                  new BadNetwork.Conditions(Duration.ofMillis(1), 0.002, 0.005, seed));
      case SWITCHED -> startSwitch();
      default -> {}
    }
  }

  private void startSwitch() throws IOException {
    Module cli =
        ModuleLayer.boot()
            .findModule("io.nitinol.cli")
            .orElseThrow(() -> new IOException("the module io.nitinol.cli is not there"));
    ProcessBuilder builder =
        new ProcessBuilder(
                JvmCommand.ofThisProcess()
                    .withoutAgents()
                    .with(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"))
                    .run(cli, "io.nitinol.cli.Main", List.of("switch", "--listen", "127.0.0.1:0")))
            .redirectError(
                ProcessBuilder.Redirect.appendTo(directory.resolve("switch.log").toFile()));
    builder.environment().put("NCCL_SOCKET_IFNAME", "lo");
    Process process = builder.start();
    switching = process;
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String line = String.valueOf(out.readLine());
    Matcher greeting = LISTENS.matcher(line);
    if (!greeting.find()) {
      process.destroyForcibly();
      throw new IOException("the switch says " + line);
    }
    switchAddress = greeting.group(1);
    Thread.ofPlatform().daemon().name("output of the switch").start(() -> drain(out));
  }

  private static void drain(BufferedReader out) {
    try {
      out.lines().forEach(System.err::println);
    } catch (UncheckedIOException e) {
      System.err.println("chaos: the switch cannot be read any more: " + e);
    }
  }

  /** Returns the workers of a round by rank, all of them ready. */
  List<WorkerProcess> workers(RoundPlan plan) throws IOException, InterruptedException {
    List<WorkerProcess> mine = new ArrayList<>();
    for (int rank = 0; rank < plan.ranks(); rank++) {
      String key = (plan.isNear(rank) ? "near" : "far") + rank;
      WorkerProcess known = workers.get(key);
      if (known == null || !known.isAlive()) {
        known = start(plan, rank);
        workers.put(key, known);
      }
      mine.add(known);
    }
    for (WorkerProcess each : mine) {
      each.awaitReady(pace.seconds(START_SECONDS));
    }
    return mine;
  }

  private WorkerProcess start(RoundPlan plan, int rank) throws IOException {
    Map<String, String> variables = new HashMap<>(carrier.variables(pace));
    Namespace host = host(plan, rank);
    UnaryOperator<List<String>> around = UnaryOperator.identity();
    if (host != null) {
      around = host::command;
      variables.put("NCCL_SOCKET_IFNAME", cable == null ? BadNetwork.DEVICE : Veth.DEVICE);
      variables.put("NCCL_HOSTID", plan.isNear(rank) ? "near" : "far");
    }
    if (carrier == RoundCarrier.SWITCHED) {
      variables.put("NCCL_HOSTID", "host" + rank);
      variables.put("NITINOL_COLLNET_SWITCH", switchAddress);
    }
    List<String> arguments = List.of();
    if (carrier.faults().contains(Fault.PLUGIN)) {
      arguments = List.of(carrier.plugin());
    }
    if (carrier == RoundCarrier.IB) {
      variables.put("NCCL_IB_HCA", "=" + ChaosIbDevices.of(plan.isNear(rank)));
    }
    Path log = directory.resolve(carrier + "-" + rank + "-" + started++ + ".log");
    if (clock != null) {
      variables.putAll(clock.variables(log));
    }
    return WorkerProcess.start(around, variables, arguments, log);
  }

  private @Nullable Namespace host(RoundPlan plan, int rank) {
    if (cable != null) {
      return plan.isNear(rank) ? cable.near() : cable.far();
    }
    if (link != null) {
      return plan.isNear(rank) ? link.near() : link.far();
    }
    return null;
  }

  /** Returns the address of the host where the ranks meet; empty for the loopback interface. */
  String meetingAddress() {
    if (cable != null) {
      return cable.address(cable.near());
    }
    return link == null ? "" : link.address(link.near());
  }

  /** Pulls the cable out, or puts it in again. */
  void cable(boolean in) throws IOException, InterruptedException {
    if (carrier == RoundCarrier.IB) {
      ChaosIbDevices.cable(in);
      return;
    }
    if (cable == null) {
      throw new IllegalStateException(carrier + " has no cable");
    }
    cable.near().run("ip link set " + Veth.DEVICE + (in ? " up" : " down"));
  }

  /** Notes that a worker is not to be looked at as one that lives. */
  void noteKilled(WorkerProcess worker) {
    killed.put(worker.pid(), System.nanoTime());
  }

  /** Returns the processes of the workers that were killed before then. */
  List<Long> killedBefore(long nanos) {
    return killed.entrySet().stream()
        .filter(each -> each.getValue() - nanos < 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Returns the pace of this machine. */
  ChaosPace pace() {
    return pace;
  }

  /** Ends the switch. */
  void killSwitch() {
    if (switching != null) {
      switching.destroyForcibly();
    }
  }

  @Override
  public void close() throws IOException {
    workers.values().forEach(WorkerProcess::close);
    workers.clear();
    killSwitch();
    try (Veth first = cable;
        BadNetwork second = link) {
      cable = null;
      link = null;
    }
  }
}
