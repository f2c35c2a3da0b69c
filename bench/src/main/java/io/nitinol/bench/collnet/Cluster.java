// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.collnet;

import io.nitinol.bench.allreduce.AllReduceJob;
import io.nitinol.bench.allreduce.OurRank;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.launch.JvmCommand;
import io.nitinol.core.log.Log;
import io.nitinol.netns.Fabric;
import io.nitinol.netns.Namespace;
import io.nitinol.netns.Unavailable;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Hosts at switches, with cables of a bounded rate, and in each switch's namespace the program that
 * reduces, once a job needs it. The ranks of a host follow each other.
 */
public final class Cluster implements AutoCloseable {
  private static final int SWITCH_PORT = 7777;
  private static final int FIRST_JOB_PORT = 4711;

  /**
   * What a host has sent.
   *
   * @param bytes as its interface counts
   * @param inFrames the same with the headers of all frames
   */
  record Sent(long bytes, long inFrames) {}

  private final Fabric fabric;
  private final int ranksPerHost;
  private final Path directory;
  private final Path secret;
  private final List<SwitchProcess> switches = new ArrayList<>();
  private final List<AllReduceJob> jobs = new ArrayList<>();

  private Cluster(Fabric fabric, int ranksPerHost, Path directory) throws IOException {
    this.fabric = fabric;
    this.ranksPerHost = ranksPerHost;
    this.directory = directory;
    this.secret = directory.resolve("secret");
    Files.writeString(secret, "of this benchmark: " + System.nanoTime() + "\n");
  }

  /**
   * Makes hosts and switches, with nothing running on them.
   *
   * @param leaves how many switches have hosts; several have another one above them
   * @param megabits what each end of each cable may send, in 10^6 bits a second, Ethernet headers
   *     included
   * @param directory where sockets and logs go
   * @throws Unavailable where this machine does not permit it
   */
  public static Cluster open(
      int leaves, int hostsPerLeaf, int ranksPerHost, int megabits, Path directory)
      throws IOException, Unavailable {
    Fabric fabric = Fabric.open(leaves, hostsPerLeaf);
    try {
      fabric.shape(megabits);
      return new Cluster(fabric, ranksPerHost, Files.createTempDirectory(directory, "cluster"));
    } catch (IOException | Unavailable e) {
      fabric.close();
      throw e;
    }
  }

  /** Starts the ranks of a job that uses an algorithm of the name that NCCL_ALGO has for it. */
  public AllReduceJob start(String algorithm)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    return start(algorithm, host -> Map.of("NCCL_ALGO", algorithm, "NCCL_COLLNET_ENABLE", "0"));
  }

  /** Starts the ranks of a job that uses the switches, and their programs if none has yet. */
  public AllReduceJob startCollnet(String algorithm)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    if (switches.isEmpty()) {
      Namespace spine = fabric.spine();
      startSwitch(spine, List.of());
      for (Namespace leaf : fabric.leaves()) {
        if (leaf != spine) {
          startSwitch(leaf, List.of("--parent", at(spine)));
        }
      }
    }
    return start(
        algorithm,
        host ->
            Map.of(
                "NCCL_ALGO",
                algorithm,
                "NCCL_COLLNET_ENABLE",
                "1",
                "NITINOL_COLLNET",
                "Switch",
                "NITINOL_COLLNET_SWITCH",
                at(fabric.leaf(host)),
                "NITINOL_COLLNET_SECRET",
                secret.toString()));
  }

  private String at(Namespace of) {
    return fabric.address(of) + ":" + SWITCH_PORT;
  }

  private void startSwitch(Namespace in, List<String> more) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("--listen", at(in), "--secret", secret.toString()));
    arguments.addAll(more);
    Path log = directory.resolve("switch-" + fabric.address(in) + ".log");
    Map<String, String> variables = Map.of("NCCL_SOCKET_IFNAME", "=" + Fabric.BRIDGE);
    switches.add(SwitchProcess.start(in, arguments, variables, log));
  }

  /** Variables that a rank of one host has beside the usual ones. */
  private interface Variables {
    Map<String, String> of(Namespace host);
  }

  private AllReduceJob start(String label, Variables variables)
      throws IOException, InterruptedException, AllReduceJob.JobFailure {
    List<Namespace> hosts = fabric.hosts();
    // All jobs are there at the same time, each with a port of its own to meet at.
    String meeting = fabric.address(hosts.getFirst()) + ":" + (FIRST_JOB_PORT + jobs.size());
    Path socket = directory.resolve(label);
    int ranks = hosts.size() * ranksPerHost;
    List<List<String>> commands = new ArrayList<>();
    try (UniqueId id =
        UniqueId.create(Settings.of(Map.of("NCCL_COMM_ID", meeting)), Log.process())) {
      for (int rank = 0; rank < ranks; rank++) {
        Namespace host = hosts.get(rank / ranksPerHost);
        Map<String, String> own = new TreeMap<>(variables.of(host));
        own.put("NCCL_HOSTID", "host" + rank / ranksPerHost);
        own.put("NCCL_COMM_ID", meeting);
        own.put("NCCL_NET", "Socket");
        own.put("NCCL_SOCKET_IFNAME", "=" + Fabric.DEVICE);
        List<String> command = new ArrayList<>(List.of("env"));
        own.forEach((name, value) -> command.add(name + "=" + value));
        List<String> arguments =
            List.of(
                socket.toString(), id.toString(), Integer.toString(rank), Integer.toString(ranks));
        command.addAll(JvmCommand.ofThisProcess().run(OurRank.class, arguments));
        commands.add(host.command(command));
      }
      AllReduceJob job =
          AllReduceJob.start(label, ranks, commands, Map.of("NITINOL_TIMEOUT", "30"), socket);
      jobs.add(job);
      return job;
    }
  }

  /** Returns what each host has sent so far, in the order of ranks. */
  List<Sent> sent() throws IOException {
    List<Sent> all = new ArrayList<>();
    for (Namespace host : fabric.hosts()) {
      all.add(new Sent(fabric.sent(host), fabric.sentInFrames(host)));
    }
    return all;
  }

  /** Returns what the switches have said, human-readable; empty where they have said nothing. */
  String words() throws IOException {
    StringBuilder words = new StringBuilder();
    for (SwitchProcess each : switches) {
      words.append("switch at ").append(each.address()).append(":\n").append(each.words());
    }
    return words.toString();
  }

  @Override
  public void close() throws IOException {
    try (fabric) {
      for (AllReduceJob job : jobs) {
        job.close();
      }
      for (SwitchProcess each : switches) {
        each.close();
      }
    }
  }
}
