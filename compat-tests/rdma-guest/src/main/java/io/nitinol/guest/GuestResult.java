// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.nio.file.Path;

/**
 * How a command ended.
 *
 * @param status its exit status; 124 or 137 where it was killed at its limit
 * @param out what it printed to standard output
 * @param err what it printed to standard error
 * @param seconds how long it took
 * @param directory the files that it left in {@code /out/NAME}, on the host
 */
public record GuestResult(int status, String out, String err, double seconds, Path directory) {
  /** Returns the last line of standard output; empty where there is none. */
  public String last() {
    return out.lines().reduce("", (before, line) -> line);
  }

  @Override
  public String toString() {
    return "status %d after %.1f s%nstdout:%n%s%nstderr:%n%s%n"
        .formatted(status, seconds, out, err);
  }
}
