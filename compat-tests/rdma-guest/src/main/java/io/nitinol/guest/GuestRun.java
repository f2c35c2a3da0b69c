// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The results of a guest that has ended.
 *
 * @param directory its {@code /out}, on the host
 * @param console the file with the output of its console
 * @param end how it ended, in words
 * @param seconds from its start to its end
 * @param crashes JVMs in it that crashed, and its kernel if that has
 * @param repeated crashes of the run before, which are the reason for repeating it; or none
 */
public record GuestRun(
    Path directory,
    Path console,
    String end,
    double seconds,
    List<Crash> crashes,
    List<Crash> repeated) {
  private static final int CONSOLE_LINES = 30;

  /**
   * Returns how a command ended.
   *
   * @throws IllegalStateException when it has not; the message has what the guest printed
   */
  public GuestResult result(String command) throws IOException {
    Path at = directory.resolve(command);
    if (!Files.exists(at.resolve("status"))) {
      throw new IllegalStateException(
          "%s has not ended: %s; the guest's console:%n%s%nstdout so far:%n%s%nstderr so far:%n%s"
              .formatted(
                  command,
                  end,
                  HostProcess.tail(console, CONSOLE_LINES),
                  HostProcess.tail(at.resolve("out"), CONSOLE_LINES),
                  HostProcess.tail(at.resolve("err"), CONSOLE_LINES)));
    }
    String[] times = text(at.resolve("times")).strip().split(" ", -1);
    return new GuestResult(
        Integer.parseInt(text(at.resolve("status")).strip()),
        text(at.resolve("out")),
        text(at.resolve("err")),
        Double.parseDouble(times[1]) - Double.parseDouble(times[0]),
        at);
  }

  /** Returns one line for the log of a build. */
  public String summary() {
    return "%.1f s, %s%s%s"
        .formatted(
            seconds,
            end,
            repeated.isEmpty() ? "" : "; repeated once for " + repeated,
            crashes.isEmpty() ? "" : "; crashed: " + crashes);
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }
}
