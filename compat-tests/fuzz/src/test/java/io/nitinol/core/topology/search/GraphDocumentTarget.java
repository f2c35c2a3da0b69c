// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nitinol.core.topology.PathOptions;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyDocument;
import io.nitinol.core.topology.TopologyException;
import io.nitinol.core.topology.TopologyPaths;
import io.nitinol.fuzz.FuzzTarget;
import java.util.List;
import java.util.Map;

/** A file of graphs, as {@code NCCL_GRAPH_FILE} names it. */
public final class GraphDocumentTarget implements FuzzTarget {
  private static final Topology MACHINE = machine();

  private static Topology machine() {
    StringBuilder xml =
        new StringBuilder("<system version=\"1\"><cpu numaid=\"0\" arch=\"arm64\">");
    for (int i = 0; i < 3; i++) {
      xml.append(
          ("<pci busid=\"0000:1%d:00.0\" class=\"0x030200\" link_speed=\"\" link_width=\"16\">"
                  + "<gpu dev=\"%d\" sm=\"90\" rank=\"%d\" gdr=\"1\">"
                  + "<nvlink target=\"0000:ff:00.0\" count=\"18\" tclass=\"0x068000\"/></gpu></pci>")
              .formatted(i, i, i));
    }
    xml.append("<nic><net name=\"a\" dev=\"0\" speed=\"100000\" port=\"1\" guid=\"0x1\"/></nic>");
    try {
      byte[] text = xml.append("</cpu></system>").toString().getBytes(UTF_8);
      return TopologyDocument.parse("machine", text).topology();
    } catch (TopologyException e) {
      throw new AssertionError("the machine is refused", e);
    }
  }

  @Override
  public void run(byte[] input) {
    try {
      Map<GraphKind, ChannelGraph> read = GraphDocument.parse("file", input, MACHINE);
      String text = GraphDocument.text(read);
      Map<GraphKind, ChannelGraph> again =
          GraphDocument.parse("again", text.getBytes(UTF_8), MACHINE);
      FuzzTarget.require(
          GraphDocument.text(again).equals(text), "another text is read back than was written");
      int gpus = 3;
      for (ChannelGraph graph : read.values()) {
        FuzzTarget.require(
            graph.channels().size() <= GraphSearch.MOST_CHANNELS,
            "more channels than there may be");
        for (GraphChannel channel : graph.channels()) {
          int wanted = graph.kind() == GraphKind.NVLS ? 1 : gpus;
          FuzzTarget.require(channel.gpus().size() == wanted, "a channel without some GPU");
        }
      }
    } catch (TopologyException e) {
      FuzzTarget.require(e.getMessage().startsWith("file, "), "no file, or a text that it wrote");
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(GraphDocument.class);
  }

  @Override
  public List<byte[]> seeds() {
    TopologyPaths paths = TopologyPaths.of(MACHINE, PathOptions.DEFAULT);
    SearchOptions hosts = new SearchOptions(true, 2, false, true);
    return List.of(
        GraphDocument.text(GraphSearch.all(MACHINE, paths, SearchOptions.ONE_HOST)).getBytes(UTF_8),
        GraphDocument.text(GraphSearch.all(MACHINE, paths, hosts)).getBytes(UTF_8),
        "<graphs version=\"1\"/>".getBytes(UTF_8));
  }
}
