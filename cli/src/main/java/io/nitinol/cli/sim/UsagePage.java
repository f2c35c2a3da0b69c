// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.sim;

import io.nitinol.cli.page.Html;
import io.nitinol.core.sim.SimulationResult;
import io.nitinol.core.sim.cluster.SimulatedCluster;
import io.nitinol.core.sim.flow.LinkUsage;
import io.nitinol.toolkit.ErrorText;
import java.util.List;
import java.util.stream.IntStream;

/** The busiest links over time, as one page that needs no other file and no script. */
final class UsagePage {
  private static final int MOST_LINKS = 64;
  private static final int WIDTH = 768;
  private static final int ROW = 18;

  private UsagePage() {}

  static String text(
      String title,
      SimulatedCluster cluster,
      SimulationResult result,
      LinkUsage usage,
      List<String> lines) {
    double[] capacity = cluster.capacities();
    double[] bytes = result.linkBytes();
    int[] links =
        IntStream.range(0, bytes.length)
            .filter(link -> bytes[link] > 0)
            .boxed()
            .sorted((a, b) -> {
              int order = Double.compare(bytes[b] / capacity[b], bytes[a] / capacity[a]);
              return order != 0 ? order : Integer.compare(a, b);
            })
            .limit(MOST_LINKS)
            .mapToInt(Integer::intValue)
            .toArray();
    long used = IntStream.range(0, bytes.length).filter(link -> bytes[link] > 0).count();
    double end = Math.max(1, result.end());
    StringBuilder page = new StringBuilder();
    page.append(Html.begin(title, "<style>rect { fill: var(--c0) }</style>\n"))
        .append("<pre>")
        .append(Html.escaped(String.join("\n", lines)))
        .append("</pre>\n<h2>Link utilisation over time</h2>\n<p>")
        .append(
            ErrorText.of(
                "The %d busiest of %d links that were used, from 0 to %.3f ms; full colour is"
                    + " 100 %% of what the link carries. Point at a field for its figures.",
                links.length, used, end / 1e9))
        .append("</p>\n");
    page.append(
        ErrorText.of(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n",
            WIDTH + 320, ROW * links.length + ROW));
    for (int i = 0; i < links.length; i++) {
      row(
          page,
          i,
          cluster.name(links[i]),
          usage.of(links[i]),
          usage.slice(),
          capacity[links[i]],
          end);
      page.append(
          ErrorText.of(
              "<text x=\"%d\" y=\"%d\">%s, %.0f %%</text>\n",
              WIDTH + 8,
              i * ROW + ROW - 5,
              Html.escaped(cluster.name(links[i])),
              100 * bytes[links[i]] / (capacity[links[i]] * end / 1e6)));
    }
    return page.append("</svg>\n").append(Html.end()).toString();
  }

  private static void row(
      StringBuilder page,
      int i,
      String name,
      float[] bytes,
      long slice,
      double capacity,
      double end) {
    for (int s = 0; s < bytes.length && (double) s * slice < end; s++) {
      double length = Math.min((double) slice, end - (double) s * slice);
      double share = Math.min(1, bytes[s] / (capacity * length / 1e6));
      if (share > 0.0005) {
        page.append(
            ErrorText.of(
                "<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" "
                    + "fill-opacity=\"%.3f\"><title>%s, %.3f ms: %.0f %%</title></rect>\n",
                (double) WIDTH * s * slice / end,
                i * ROW + 1,
                WIDTH * length / end,
                ROW - 2,
                share,
                Html.escaped(name),
                (double) s * slice / 1e9,
                share * 100));
      }
    }
  }
}
