// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.device;

import io.nitinol.core.Communicator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The number of a rank on its host, where its launcher has not said it. */
final class LocalRank {
  /** The same in all processes of a host, containers included, and on no other host. */
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  private LocalRank() {}

  /** Returns how many lower ranks are on this rank's host; every rank calls this. */
  static int among(Communicator communicator) {
    byte[] mine = bootId();
    byte[][] all = communicator.exchange(mine);
    int lower = 0;
    for (int rank = 0; rank < communicator.rank(); rank++) {
      lower += Arrays.equals(all[rank], mine) ? 1 : 0;
    }
    return lower;
  }

  private static byte[] bootId() {
    try {
      return Files.readAllBytes(BOOT);
    } catch (IOException e) {
      return "unknown".getBytes(StandardCharsets.UTF_8); // then all ranks count as of one host
    }
  }
}
