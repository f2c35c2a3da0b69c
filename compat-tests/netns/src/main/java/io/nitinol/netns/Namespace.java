// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A network namespace, in which nothing is up but the loopback interface. It lives as long as the
 * processes in it, the first of which ends with {@link #close} or with this process. A process that
 * may not make one does so inside a user namespace, where the system permits that.
 */
public final class Namespace implements AutoCloseable {

  /** Where ip, tc and sysctl are, also for a user who has no such directory in the path. */
  private static final String SBIN = "PATH=$PATH:/usr/sbin:/sbin; ";

  private static final String HOLD = SBIN + "ip link set lo up && echo ready && exec cat";
  private static final int SECONDS = 30;

  private final Holder holder;
  private final boolean user;

  private Namespace(Holder holder, boolean user) {
    this.holder = holder;
    this.user = user;
  }

  /**
   * Makes a namespace.
   *
   * @throws Unavailable when that is not permitted, or util-linux or iproute2 are missing
   */
  public static Namespace open() throws IOException, Unavailable {
    boolean user = !Files.isWritable(Path.of("/proc/sys/net/core/somaxconn")); // root only
    List<String> command = new ArrayList<>(List.of("unshare", "-n"));
    if (user) {
      command.add("-r");
    }
    command.addAll(List.of("sh", "-c", HOLD));
    return new Namespace(Holder.start(command), user);
  }

  /** Makes a second namespace that can be linked with this one. */
  public Namespace beside() throws IOException, Unavailable {
    return new Namespace(Holder.start(command(List.of("unshare", "-n", "sh", "-c", HOLD))), user);
  }

  /** Returns the command that runs {@code command} in this namespace. */
  public List<String> command(List<String> command) {
    List<String> all = new ArrayList<>(List.of("nsenter", "-t", Long.toString(pid()), "-n"));
    if (user) {
      all.addAll(List.of("-U", "--preserve-credentials"));
    }
    all.addAll(command);
    return all;
  }

  /**
   * Runs a script of the shell in this namespace and waits for it.
   *
   * @return what it printed
   * @throws IOException when a command in it fails; the message has its output
   */
  public String run(String script) throws IOException {
    try {
      return ask(script);
    } catch (Unavailable e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * As {@link #run}, with a script that the kernel or the machine's owner may refuse.
   *
   * @throws Unavailable when a command in it fails; the message has its output
   */
  String ask(String script) throws IOException, Unavailable {
    Process process =
        new ProcessBuilder(command(List.of("sh", "-ec", SBIN + script)))
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .start();
    String words;
    try (Deadline late = Deadline.of(process, SECONDS)) {
      words = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      late.check(script);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException(script + ": interrupted", e);
    }
    if (process.exitValue() != 0) {
      throw new Unavailable(script + ": " + words.strip());
    }
    return words;
  }

  /** Waits at most 5 s: the kernel notices a moment later that the other side is up, too. */
  void awaitCarrier(String device) throws IOException {
    run(
        ("for i in $(seq 500); do ip -o link show %1$s | grep -q 'state UP' && exit;"
                + " sleep 0.01; done; echo %1$s does not come up; false")
            .formatted(device));
  }

  /** Returns the process that keeps the namespace, by which {@code ip} knows it. */
  long pid() {
    return holder.pid();
  }

  @Override
  public void close() throws IOException {
    holder.close();
  }

  /** Closes all, the last first; throws the last failure, once all have been tried. */
  static void closeAll(List<Namespace> namespaces) throws IOException {
    IOException failure = null;
    for (Namespace each : namespaces.reversed()) {
      try {
        each.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
