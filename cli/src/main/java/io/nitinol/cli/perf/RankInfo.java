// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfDevice;
import java.nio.charset.StandardCharsets;

/**
 * A rank, as the table's header lists it.
 *
 * @param device what it computes with and how it is connected
 */
record RankInfo(int rank, long pid, String host, PerfDevice device) {

  /** Returns this for another rank to {@link #decode}. */
  byte[] encode() {
    return (rank + "\n" + pid + "\n" + host + "\n" + device.encode())
        .getBytes(StandardCharsets.UTF_8);
  }

  static RankInfo decode(byte[] encoded) {
    String[] parts = new String(encoded, StandardCharsets.UTF_8).split("\n", 4);
    return new RankInfo(
        Integer.parseInt(parts[0]),
        Long.parseLong(parts[1]),
        parts[2],
        PerfDevice.decode(parts[3]));
  }
}
