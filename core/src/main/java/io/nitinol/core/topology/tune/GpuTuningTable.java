// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.tune;

import io.nitinol.spi.tuner.Protocol;
import io.nitinol.toolkit.ErrorText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** The model as the lines that NCCL logs under TUNING: latency in µs, bandwidth in GB/s. */
public final class GpuTuningTable {
  private static final int ACROSS = 3;

  private GpuTuningTable() {}

  /** Returns the lines, three algorithms in each block. */
  public static List<String> lines(GpuCostModel model) {
    List<String> lines = new ArrayList<>();
    List<GpuAlgorithm> all = List.of(GpuAlgorithm.values());
    for (int from = 0; from < all.size(); from += ACROSS) {
      List<GpuAlgorithm> block = all.subList(from, Math.min(all.size(), from + ACROSS));
      StringBuilder names = new StringBuilder("  Algorithm   |");
      StringBuilder protocols = new StringBuilder("  Protocol    |");
      StringBuilder threads = new StringBuilder(" Max NThreads |");
      for (GpuAlgorithm algorithm : block) {
        names.append(ErrorText.of(" %14s   %14s   %14s |", "", algorithm.label(), ""));
        for (Protocol protocol : Protocol.values()) {
          threads.append(ErrorText.of(" %14d |", model.threads(algorithm, protocol)));
        }
      }
      for (int i = 0; i < ACROSS; i++) { // also where the block has fewer, as NCCL does
        for (Protocol protocol : Protocol.values()) {
          protocols.append(ErrorText.of(" %14s |", label(protocol)));
        }
      }
      lines.add(names.toString());
      lines.add(protocols.toString());
      lines.add(threads.toString());
      for (GpuCollective collective : GpuCollective.values()) {
        lines.add(row(model, collective, block));
      }
    }
    return lines;
  }

  private static String row(
      GpuCostModel model, GpuCollective collective, List<GpuAlgorithm> block) {
    StringBuilder row = new StringBuilder(ErrorText.of("%13s |", collective.label()));
    for (GpuAlgorithm algorithm : block) {
      for (Protocol protocol : Protocol.values()) {
        row.append(
            ErrorText.of(
                "%8s/%6s |",
                oneDigit(model.latency(collective, algorithm, protocol)),
                oneDigit(model.bandwidth(collective, algorithm, protocol))));
      }
    }
    return row.toString();
  }

  /** Rounds as C does, for which 1.25 lies between and goes to the even digit. */
  private static String oneDigit(float value) {
    return new BigDecimal(value).setScale(1, RoundingMode.HALF_EVEN).toPlainString();
  }

  private static String label(Protocol protocol) {
    return protocol == Protocol.SIMPLE ? "Simple" : protocol.name();
  }
}
