// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds how much memory this machine can spare for large messages. */
public final class FreeMemory {
  private static final Path MEMINFO = Path.of("/proc/meminfo");
  private static final String AVAILABLE = "MemAvailable:";

  /** What a container may have, in the second version of control groups; {@code max} for all. */
  private static final Path GROUP = Path.of("/sys/fs/cgroup");

  private static final int KIB = 1 << 10;

  private FreeMemory() {}

  /**
   * Returns the largest message, a power of two times {@code least} and at most {@code most} bytes,
   * that fits into memory at both ends, with as much again for the plugin; 0 if not even the
   * smallest does.
   */
  public static long largest(long least, long most) {
    long room = Math.min(available() / 3, Runtime.getRuntime().maxMemory() * 2 / 5);
    long largest = 0;
    for (long size = least; size <= most && size <= room; size *= 2) {
      largest = size;
    }
    return largest;
  }

  /** Returns the reason why a message of this size is too large here. */
  public static String why(long size) {
    return ErrorText.of(
        "a message of %s MiB needs three times that much memory and half of it as"
            + " native memory of the JVM: this machine has %s MiB available, and -Xmx"
            + " allows %s MiB of either kind",
        size >> 20, available() >> 20, Runtime.getRuntime().maxMemory() >> 20);
  }

  /**
   * Returns the bytes that the system has available, within what this container may have; the JVM's
   * if the system does not tell.
   */
  public static long available() {
    return Math.min(ofTheSystem(), ofTheContainer());
  }

  private static long ofTheContainer() {
    try {
      String most = Files.readString(GROUP.resolve("memory.max")).strip();
      String used = Files.readString(GROUP.resolve("memory.current")).strip();
      return most.equals("max") ? Long.MAX_VALUE : Long.parseLong(most) - Long.parseLong(used);
    } catch (IOException e) {
      return Long.MAX_VALUE; // no such group: all that the system has
    }
  }

  private static long ofTheSystem() {
    if (!Files.exists(MEMINFO)) {
      return Runtime.getRuntime().maxMemory();
    }
    try {
      for (String line : Files.readAllLines(MEMINFO)) {
        if (line.startsWith(AVAILABLE)) {
          return KIB * Long.parseLong(line.substring(AVAILABLE.length()).replaceAll("\\D", ""));
        }
      }
      return Runtime.getRuntime().maxMemory();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + MEMINFO, e);
    }
  }
}
