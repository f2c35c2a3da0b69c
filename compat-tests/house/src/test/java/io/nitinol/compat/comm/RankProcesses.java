// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.compat.cli.ClassPathJvm;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Ranks as processes of this test, ended with it whatever happens. */
public final class RankProcesses implements AutoCloseable {
  private static final String END = "nothing more";

  /** Far longer than a busy machine needs for anything that is waited for here. */
  private static final int SECONDS = 240;

  private final List<Process> processes = new ArrayList<>();
  private final List<BlockingQueue<String>> lines = new ArrayList<>();

  private final @Nullable UniqueId id;

  /** Variables of one rank beside the usual ones. */
  public interface Environment {
    Map<String, String> of(int rank);
  }

  /** The place where a rank runs: puts a prefix before its command. */
  public interface Host {
    List<String> command(int rank, List<String> command);
  }

  RankProcesses(int n, String... task) throws IOException {
    this(n, rank -> Map.of(), task);
  }

  RankProcesses(int n, Environment environment, String... task) throws IOException {
    this(
        n,
        UniqueId.create(Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo")), Log.process()),
        (rank, command) -> command,
        environment,
        task);
  }

  RankProcesses(int n, UniqueId id, Host host, Environment environment, String... task)
      throws IOException {
    this(n, id, id.toString(), host, environment, task);
  }

  /** Starts ranks that meet as their variables have it. */
  static RankProcesses meeting(int n, Host host, Environment environment, String... task)
      throws IOException {
    return new RankProcesses(n, null, RankProcess.NO_ID, host, environment, task);
  }

  /**
   * Starts ranks of another program than {@link RankProcess}, on this host.
   *
   * @param program has a {@code main} with the same first arguments: rank, number of ranks, id
   */
  public static RankProcesses of(Class<?> program, int n, Environment environment, String... task)
      throws IOException {
    UniqueId id = UniqueId.create(Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo")), Log.process());
    return of(program, n, id, (rank, command) -> command, environment, task);
  }

  /** As the other one, with ranks that meet by {@code id} and run where {@code host} has it. */
  public static RankProcesses of(
      Class<?> program, int n, UniqueId id, Host host, Environment environment, String... task)
      throws IOException {
    return new RankProcesses(program, n, id, id.toString(), host, environment, task);
  }

  private RankProcesses(
      int n,
      @Nullable UniqueId id,
      String idText,
      Host host,
      Environment environment,
      String... task)
      throws IOException {
    this(RankProcess.class, n, id, idText, host, environment, task);
  }

  private RankProcesses(
      Class<?> program,
      int n,
      @Nullable UniqueId id,
      String idText,
      Host host,
      Environment environment,
      String... task)
      throws IOException {
    this.id = id;
    for (int r = 0; r < n; r++) {
      List<String> command = ClassPathJvm.command("256m");
      command.add(program.getName());
      command.addAll(List.of(Integer.toString(r), Integer.toString(n), idText));
      command.addAll(List.of(task));
      ProcessBuilder builder =
          new ProcessBuilder(host.command(r, command)).redirectErrorStream(true);
      builder.environment().put("NCCL_SOCKET_IFNAME", "lo");
      builder.environment().put("NCCL_NET", "Socket");
      builder.environment().put("NITINOL_KERNELS", "scalar"); // else it says how to get others
      builder.environment().putAll(environment.of(r));
      Process process = builder.start();
      processes.add(process);
      BlockingQueue<String> said = new LinkedBlockingQueue<>();
      lines.add(said);
      Thread.ofPlatform().daemon().start(() -> read(process, said));
    }
  }

  private static void read(Process process, BlockingQueue<String> into) {
    try (BufferedReader reader = process.inputReader()) {
      reader.lines().forEach(into::add);
    } catch (IOException | UncheckedIOException e) {
      into.add("unreadable: " + e);
    }
    into.add(END);
  }

  /** Waits until a rank prints a line that begins with {@code start}; returns it. */
  public String await(int rank, String start) throws InterruptedException {
    return await(rank, start, line -> line.startsWith(start));
  }

  /** Waits until a rank prints a line that has {@code part} in it, as of the log; returns it. */
  public String awaitWithin(int rank, String part) throws InterruptedException {
    return await(rank, part, line -> line.contains(part));
  }

  /** As {@link #await(int, String)}; returns the lines before it that were not waited for. */
  public List<String> before(int rank, String start) throws InterruptedException {
    List<String> others = new ArrayList<>();
    String _ = await(rank, start, line -> line.startsWith(start), others);
    return others;
  }

  private String await(int rank, String start, Predicate<String> wanted)
      throws InterruptedException {
    return await(rank, start, wanted, new ArrayList<>());
  }

  private String await(int rank, String start, Predicate<String> wanted, List<String> others)
      throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (true) {
      String line = lines.get(rank).poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (line == null) {
        throw new AssertionError(
            "rank " + rank + " did not say " + start + " within " + SECONDS + " s, but " + others);
      }
      if (wanted.test(line)) {
        return line;
      }
      if (line.equals(END)) {
        lines.get(rank).add(END);
        throw new AssertionError("rank " + rank + " ended without saying " + start + ": " + others);
      }
      others.add(line);
    }
  }

  /** Sends a signal, such as {@code STOP} or {@code CONT}, to a rank. */
  public void signal(int rank, String name) throws IOException, InterruptedException {
    long pid = processes.get(rank).pid();
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start();
    assertThat(kill.waitFor()).as("kill -%s %d", name, pid).isZero();
  }

  /** Sends a rank the one byte that it waits for on standard input. */
  public void tell(int rank) throws IOException {
    OutputStream in = processes.get(rank).getOutputStream();
    in.write('\n');
    in.flush();
  }

  /** Returns the number of a rank's process. */
  public long pid(int rank) {
    return processes.get(rank).pid();
  }

  public void kill(int rank) {
    processes.get(rank).destroyForcibly();
  }

  /** Waits for the end of a rank and returns its exit status. */
  public int exit(int rank) throws InterruptedException {
    assertThat(processes.get(rank).waitFor(SECONDS, TimeUnit.SECONDS))
        .as("rank %d ends within %d s", rank, SECONDS)
        .isTrue();
    return processes.get(rank).exitValue();
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly); // SIGKILL ends stopped ones too
    if (id != null) {
      id.close();
    }
  }
}
