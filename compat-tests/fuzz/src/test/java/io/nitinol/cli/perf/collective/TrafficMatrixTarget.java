// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.collective;

import io.nitinol.fuzz.FuzzTarget;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The workload of all-to-all: a square of numbers. */
public final class TrafficMatrixTarget implements FuzzTarget {
  @Override
  public void run(byte[] input) {
    List<String> lines = new String(input, StandardCharsets.UTF_8).lines().toList();
    for (double scale : new double[] {1, 0.001, 1e30}) {
      try {
        TrafficMatrix matrix = TrafficMatrix.read(lines, scale);
        FuzzTarget.require(
            matrix.ranks() == lines.stream().filter(line -> !line.isBlank()).count(), "ranks");
      } catch (IllegalArgumentException e) {
        FuzzTarget.require(e.getClass() == IllegalArgumentException.class, "" + e);
      }
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(TrafficMatrix.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of("0 16 1e3\n\n5 6 7\n8\t9 10\n".getBytes(StandardCharsets.UTF_8));
  }
}
