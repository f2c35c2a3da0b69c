// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Which clock {@link System#nanoTime} is here, and what it said at which time. Two processes with
 * the same {@link #id} have the same clock.
 *
 * @param host the host's name
 * @param id the host's boot and, where the kernel has them, the namespace of the clock
 * @param micros what the clock said, in microseconds
 * @param utcMicros the time then, in microseconds since 1970
 */
public record HostClock(String host, String id, long micros, long utcMicros) {
  private static final int READINGS = 20;

  /**
   * Returns these figures for a file that a tool puts beside those of other ranks.
   *
   * @return members of a JSON object: {@code host}, {@code clock}, {@code clock_us}, {@code utc_us}
   */
  public String json() {
    return ErrorText.of(
        "\"host\":%s,\"clock\":%s,\"clock_us\":%d,\"utc_us\":%d",
        JsonString.of(host), JsonString.of(id), micros, utcMicros);
  }

  /**
   * Reads the clock.
   *
   * @return what it says now
   * @throws NetException SYSTEM_ERROR where the system has no {@code /proc} as Linux has it
   */
  public static HostClock now() {
    long nanos = System.nanoTime();
    Instant utc = Instant.EPOCH;
    for (long least = Long.MAX_VALUE, i = 0; i < READINGS; i++) { // of which the quickest counts
      long before = System.nanoTime();
      Instant now = Instant.now();
      long took = System.nanoTime() - before;
      if (took < least) {
        least = took;
        nanos = before + took / 2;
        utc = now;
      }
    }
    Path timeSpace = Path.of("/proc/self/ns/time"); // before Linux 5.6 there is one for all
    try {
      String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
      String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
      Object space =
          Files.isSymbolicLink(timeSpace) ? Files.readSymbolicLink(timeSpace).getFileName() : "";
      long utcMicros = ChronoUnit.MICROS.between(Instant.EPOCH, utc);
      return new HostClock(host, boot + " " + space, nanos / 1000, utcMicros);
    } catch (IOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR, "cannot tell which clock this host has: " + e, e);
    }
  }
}
