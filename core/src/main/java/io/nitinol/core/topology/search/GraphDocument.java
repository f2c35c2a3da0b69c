// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.search;

import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.NodeKind;
import io.nitinol.core.topology.PathKind;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyException;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.xml.XmlElement;
import io.nitinol.core.topology.xml.XmlException;
import io.nitinol.core.topology.xml.XmlReader;
import io.nitinol.core.topology.xml.XmlWriter;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.file.InputFile;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Graphs in NCCL's XML format, as {@code NCCL_GRAPH_DUMP_FILE} writes them and {@code
 * NCCL_GRAPH_FILE} reads them. GPUs and network devices stand there by their numbers on the
 * machine.
 */
public final class GraphDocument {
  private static final int VERSION = 1;

  /** A number on another host of the file has the host's number in these bits. */
  private static final int HOST_BITS = 56;

  private GraphDocument() {}

  /**
   * Reads a file of at most 8 MiB.
   *
   * @param file the path, as the user gave it
   * @param topology the machine that it is about
   * @return the graphs that it has
   * @throws TopologyException with the file, the line and the value
   */
  public static Map<GraphKind, ChannelGraph> read(Path file, Topology topology)
      throws TopologyException {
    try {
      return parse(file.toString(), InputFile.read(file, XmlReader.MOST_BYTES), topology);
    } catch (IOException e) {
      throw new TopologyException(
          ErrorText.of("%s cannot be read: %s", file, ErrorText.reason(e)), e);
    }
  }

  /**
   * Reads the bytes of a file.
   *
   * @param name what errors call it
   * @param content its bytes, in UTF-8
   * @param topology the machine that it is about
   * @throws TopologyException with the name, the line and the value
   */
  public static Map<GraphKind, ChannelGraph> parse(String name, byte[] content, Topology topology)
      throws TopologyException {
    try {
      XmlElement root = XmlReader.read(content);
      if (!root.name().equals("graphs")) {
        throw new XmlException(
            root.line(), ErrorText.of("<%s> stands where <graphs> should", root.name()));
      }
      if (root.requireInt("version") != VERSION) {
        throw root.wrong("version", root.require("version"), Integer.toString(VERSION));
      }
      Map<GraphKind, ChannelGraph> graphs = new EnumMap<>(GraphKind.class);
      for (XmlElement child : root.children()) {
        GraphKind kind = child.name().equals("graph") ? GraphKind.of(child.requireInt("id")) : null;
        if (kind != null && graphs.put(kind, graph(child, kind, topology)) != null) {
          throw child.wrong("id", child.require("id"), "there once");
        }
      }
      return graphs;
    } catch (XmlException e) {
      throw new TopologyException(ErrorText.of("%s, %s", name, e.getMessage()), e);
    }
  }

  private static ChannelGraph graph(XmlElement element, GraphKind kind, Topology topology)
      throws XmlException {
    GraphPattern pattern = GraphPattern.of(element.requireInt("pattern"));
    if (pattern == null) {
      throw element.wrong("pattern", element.require("pattern"), "from 1 to 6");
    }
    int crossNic = element.requireInt("crossnic");
    if (crossNic < 0 || crossNic > 2) {
      throw element.wrong("crossnic", element.require("crossnic"), "from 0 to 2");
    }
    List<GraphChannel> channels = new ArrayList<>();
    for (XmlElement child : element.children()) {
      if (child.name().equals("channel")) {
        channels.add(channel(child, kind, topology));
      }
    }
    if (element.requireInt("nchannels") != channels.size()
        || channels.size() > GraphSearch.MOST_CHANNELS) {
      throw element.wrong(
          "nchannels",
          element.require("nchannels"),
          ErrorText.of(
              "the number of its channels, which is %d, and at most %d",
              channels.size(), GraphSearch.MOST_CHANNELS));
    }
    return new ChannelGraph(
        kind,
        pattern,
        crossNic,
        speed(element, "speedintra"),
        speed(element, "speedinter"),
        element.getFloat("latencyinter", 0),
        path(element, "typeintra"),
        path(element, "typeinter"),
        element.requireInt("samechannels") != 0,
        channels);
  }

  private static float speed(XmlElement element, String key) throws XmlException {
    element.require(key);
    return element.getFloat(key, 0);
  }

  private static PathKind path(XmlElement element, String key) throws XmlException {
    String value = element.require(key);
    for (PathKind kind : PathKind.values()) {
      if (kind.name().equals(value) && kind.compareTo(PathKind.SYS) <= 0) {
        return kind;
      }
    }
    throw element.wrong(key, value, "a kind of path, from LOC to SYS");
  }

  private static GraphChannel channel(XmlElement element, GraphKind kind, Topology topology)
      throws XmlException {
    List<TopologyNode> all = topology.nodes(NodeKind.GPU);
    List<TopologyNode> gpus = new ArrayList<>();
    List<TopologyNode> nets = new ArrayList<>();
    Set<TopologyNode> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (XmlElement child : element.children()) {
      switch (child.name()) {
        case "gpu" -> {
          TopologyNode gpu = node(child, all);
          if (!seen.add(gpu)) {
            throw child.wrong("dev", child.require("dev"), "in a channel once");
          }
          gpus.add(gpu);
        }
        case "net" -> nets.add(node(child, topology.nodes(NodeKind.NET)));
        default -> {} // what a later NCCL adds
      }
    }
    int wanted = kind == GraphKind.NVLS ? 1 : all.size();
    if (gpus.size() != wanted) {
      throw new XmlException(
          element.line(),
          ErrorText.of("<channel> has %d GPUs where it should have %d", gpus.size(), wanted));
    }
    if (nets.size() != 0 && nets.size() != 2) {
      throw new XmlException(
          element.line(),
          ErrorText.of(
              "<channel> has %d network devices where it should have 0 or 2", nets.size()));
    }
    return nets.isEmpty()
        ? new GraphChannel(gpus, null, null)
        : new GraphChannel(gpus, nets.get(0), nets.get(1));
  }

  private static TopologyNode node(XmlElement element, List<TopologyNode> among)
      throws XmlException {
    element.require("dev");
    long number = element.getHex("dev");
    for (TopologyNode node : among) {
      if (number(node) == number) {
        return node;
      }
    }
    throw element.wrong("dev", element.require("dev"), "a device of the topology");
  }

  private static long number(TopologyNode node) {
    long device =
        switch (node.facts()) {
          case NodeFacts.Gpu gpu -> gpu.device();
          case NodeFacts.Net net -> net.device();
          default -> 0;
        };
    return ((long) node.system() << HOST_BITS) + device;
  }

  /** Returns the file's text: the graphs in NCCL's order, one element to a line. */
  public static String text(Map<GraphKind, ChannelGraph> graphs) {
    List<XmlElement> elements = new ArrayList<>();
    for (GraphKind kind : GraphKind.values()) {
      ChannelGraph graph = graphs.get(kind);
      if (graph != null) {
        elements.add(element(graph));
      }
    }
    return XmlWriter.text(
        new XmlElement("graphs", Map.of("version", Integer.toString(VERSION)), elements, 1));
  }

  private static XmlElement element(ChannelGraph graph) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("id", Integer.toString(graph.kind().id()));
    attributes.put("pattern", Integer.toString(graph.pattern().number()));
    attributes.put("crossnic", Integer.toString(graph.crossNic()));
    attributes.put("nchannels", Integer.toString(graph.channels().size()));
    attributes.put("speedintra", shortest(graph.intra()));
    attributes.put("speedinter", shortest(graph.inter()));
    attributes.put("latencyinter", shortest(graph.latency()));
    attributes.put("typeintra", graph.intraKind().name());
    attributes.put("typeinter", graph.interKind().name());
    attributes.put("samechannels", graph.sameChannels() ? "1" : "0");
    List<XmlElement> channels = new ArrayList<>();
    for (GraphChannel channel : graph.channels()) {
      List<XmlElement> nodes = new ArrayList<>();
      if (channel.in() != null) {
        nodes.add(element("net", channel.in()));
      }
      channel.gpus().forEach(gpu -> nodes.add(element("gpu", gpu)));
      if (channel.out() != null) {
        nodes.add(element("net", channel.out()));
      }
      channels.add(new XmlElement("channel", Map.of(), nodes, 1));
    }
    return new XmlElement("graph", attributes, channels, 1);
  }

  private static XmlElement element(String name, TopologyNode node) {
    long number = number(node);
    String text = number == 0 ? "0" : "0x" + Long.toHexString(number);
    return new XmlElement(name, Map.of("dev", text), List.of(), 1);
  }

  /** Writes a number as C's {@code %g} does for those that occur here. */
  private static String shortest(float value) {
    BigDecimal rounded = new BigDecimal(value).round(new MathContext(6));
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }
}
