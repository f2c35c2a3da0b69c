// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf.runs;

import io.nitinol.fuzz.FuzzTarget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Files of runs, as JSON and as tables; what was read can be shown. */
public final class PerfRunTarget implements FuzzTarget {
  @Override
  public void run(byte[] input) {
    try {
      show(RunDocument.parse(input));
    } catch (IOException e) {
      FuzzTarget.require(e.getClass() == IOException.class, "" + e);
    }
    try {
      show(NcclTable.parse(new String(input, StandardCharsets.UTF_8)));
    } catch (IOException e) {
      FuzzTarget.require(e.getClass() == IOException.class, "" + e);
    }
  }

  private static void show(PerfRun run) throws IOException {
    List<PerfRun> runs = List.of(run.called("a"), run.called("b"));
    FuzzTarget.require(
        ComparisonTable.lines(runs).size() >= 2 + run.points().size(), "a row for each point");
    String page = RunPage.text(runs);
    FuzzTarget.require(!page.contains("Infinity") && !page.contains("NaN"), "figures");
    FuzzTarget.require(!page.replaceAll("<[a-zA-Z/!][^<>]*>", "").contains("<"), "markup");
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(RunDocument.class, NcclTable.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        ("{\"args\":[\"x_perf\"],\"env\":[\"NCCL_A=1\"],"
                + "\"config\":{\"devices\":[{\"hostname\":\"h\"}]},"
                + "\"results\":[{\"size\":8,\"type\":\"float\",\"root\":\"1\",\"in_place\":"
                + "{\"time\":1.5,\"alg_bw\":1,\"bus_bw\":2e9,\"nwrong\":1,\"steady\":false}}]}")
            .getBytes(StandardCharsets.UTF_8),
        ("# Collective test starting: a_perf\n"
                + "8 2 float sum -1 1.5 1e3 1 0 N/A N/A N/A N/A\n"
                + "# size count type root time algbw busbw #wrong time algbw busbw error timestamp\n"
                + "9 2 half 1 1.5 1e3 1 0 2 2 2 2 2026-01-02 03:04:05\n")
            .getBytes(StandardCharsets.UTF_8));
  }

  /** The JSON reader has buffers, and a page has a style. */
  @Override
  public long mostAllocated() {
    return 8 << 20;
  }
}
