// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.device;

import io.nitinol.core.Communicator;
import io.nitinol.core.shm.HostName;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The number of a rank on its host, where its launcher has not said it. */
final class LocalRank {
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
    String boot = HostName.boot();
    // Where it is not known, all ranks count as of one host.
    return (boot == null ? "unknown" : boot).getBytes(StandardCharsets.UTF_8);
  }
}
