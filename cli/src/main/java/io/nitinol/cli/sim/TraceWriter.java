// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.sim;

import io.nitinol.core.sim.cluster.SimulatedCluster;
import io.nitinol.core.sim.workload.Workload;
import io.nitinol.toolkit.file.OutputFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes what each rank was at as Chrome's trace events, which Perfetto reads: a process for each
 * host, a thread for each GPU and group.
 */
final class TraceWriter implements AutoCloseable {
  private final JsonMapper mapper = JsonMapper.builder().build();
  private final Workload workload;
  private final SimulatedCluster cluster;
  private final OutputStream out;
  private boolean any;

  TraceWriter(Path file, Workload workload, SimulatedCluster cluster) throws IOException {
    this.workload = workload;
    this.cluster = cluster;
    OutputFile.write(file, new byte[0]);
    this.out = new BufferedOutputStream(OutputFile.append(file), 1 << 20);
    write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  }

  /** Writes a span; times are in picoseconds. */
  void span(int node, int gpu, long from, long to) throws IOException {
    Workload.Node what = workload.nodes().get(node);
    String group = workload.groups().get(what.group()).name();
    write(
        (any ? ",\n" : "\n")
            + "{\"ph\":\"X\",\"name\":"
            + mapper.writeValueAsString(what.name())
            + ",\"cat\":\""
            + (what.collective() == null ? "compute" : what.collective().collective().label())
            + "\",\"pid\":"
            + cluster.host(gpu)
            + ",\"tid\":"
            + (gpu * 1000L + what.group() % 1000)
            + ",\"ts\":"
            + from / 1e6
            + ",\"dur\":"
            + (to - from) / 1e6
            + ",\"args\":{\"rank\":"
            + gpu
            + ",\"group\":"
            + mapper.writeValueAsString(group)
            + "}}");
    any = true;
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    write("\n]}\n");
    out.close();
  }
}
