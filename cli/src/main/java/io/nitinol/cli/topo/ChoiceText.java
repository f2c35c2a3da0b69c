// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.topo;

import io.nitinol.core.topology.tune.GpuChoice;
import io.nitinol.core.topology.tune.GpuCollective;
import io.nitinol.core.topology.tune.GpuCostModel;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.SizeText;
import java.util.ArrayList;
import java.util.List;

/** What NCCL would choose by size: from which size on, algorithm, protocol and channels. */
final class ChoiceText {
  private static final long LEAST = 8;
  private static final long MOST = 8L << 30;

  private ChoiceText() {}

  static List<String> lines(GpuCostModel model) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add("Chosen from this size of a rank's count on:");
    for (GpuCollective collective : GpuCollective.values()) {
      String last = "";
      for (long bytes = LEAST; bytes <= MOST; bytes *= 2) {
        GpuChoice choice = GpuChoice.of(model, collective, bytes);
        String text = ErrorText.of("%s %s", choice.algorithm().label(), choice.protocol());
        if (!text.equals(last)) {
          lines.add(ErrorText.of("%13s %12s  %s", collective.label(), SizeText.of(bytes), text));
        }
        last = text;
      }
    }
    return lines;
  }
}
