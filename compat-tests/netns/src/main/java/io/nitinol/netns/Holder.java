// SPDX-License-Identifier: Apache-2.0
package io.nitinol.netns;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process that reports that it is ready and then stays until its standard input ends: when it is
 * closed, or at the latest when this process ends.
 */
final class Holder implements AutoCloseable {
  private static final int SECONDS = 10;

  private final Process process;
  private final BufferedReader out;

  private Holder(Process process) {
    this.process = process;
    this.out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts the process and waits until it is ready.
   *
   * @param command a program that prints a line "ready" when it is ready
   * @throws Unavailable when it ends instead; the message has its output
   */
  static Holder start(List<String> command) throws IOException, Unavailable {
    Process process;
    try {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new Unavailable("cannot start " + command.getFirst() + ": " + e.getMessage());
    }
    Holder holder = new Holder(process);
    StringBuilder words = new StringBuilder();
    try (Deadline late = Deadline.of(process, SECONDS)) {
      for (String line = holder.out.readLine(); line != null; line = holder.out.readLine()) {
        if (line.equals("ready")) {
          return holder;
        }
        words.append(words.isEmpty() ? "" : "; ").append(line);
      }
      late.check(String.join(" ", command));
    }
    holder.close();
    throw new Unavailable(String.join(" ", command) + ": " + words);
  }

  long pid() {
    return process.pid();
  }

  /** Ends the process and returns the last line it printed; empty where it printed none. */
  String end() throws IOException {
    process.getOutputStream().close();
    String last = "";
    try (Deadline late = Deadline.of(process, SECONDS)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        last = line;
      }
      late.check("the end of " + process);
    }
    close();
    return last;
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
