// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import io.nitinol.core.topology.xml.XmlElement;
import io.nitinol.core.topology.xml.XmlException;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the graph of a file's elements; mirrors {@code ncclTopoGetSystemFromXml}. */
final class TopologyBuilder {
  /** As many of a kind as NCCL 2.28 has room for. */
  private static final int MOST_NODES = 576;

  private final Map<NodeKind, List<TopologyNode>> nodes = new HashMap<>();
  private final Map<String, TopologyNode> byName = new HashMap<>();
  private final Map<TopologyNode, TopologyNode> parents = new HashMap<>();
  private final List<String> hosts = new ArrayList<>();

  /** What stands below a PCI element and is not done yet: the links to other devices. */
  private final List<Pending> pending = new ArrayList<>();

  private record Pending(XmlElement element, int system, String busId) {}

  private TopologyBuilder() {}

  static Topology build(XmlElement system) throws XmlException {
    TopologyBuilder builder = new TopologyBuilder();
    for (XmlElement child : system.children()) {
      if (child.name().equals("cpu")) {
        builder.addCpu(child);
      }
    }
    for (Pending link : builder.pending) {
      builder.addLink(link);
    }
    builder.requireReverse(system);
    new SwitchFlattening(builder.of(NodeKind.PCI)).run();
    builder.connectCpus();
    for (TopologyNode cpu : builder.of(NodeKind.CPU)) {
      sort(cpu, null);
    }
    List<TopologyNode> all = new ArrayList<>();
    builder.nodes.values().forEach(all::addAll);
    return new Topology(all);
  }

  private List<TopologyNode> of(NodeKind kind) {
    return nodes.computeIfAbsent(kind, _ -> new ArrayList<>());
  }

  private @Nullable TopologyNode find(NodeKind kind, int system, String id) {
    return byName.get(kind + "/" + system + "/" + id);
  }

  private TopologyNode create(
      XmlElement from, NodeKind kind, int system, String id, NodeFacts facts) throws XmlException {
    TopologyNode node = new TopologyNode(kind, system, id, facts);
    if (byName.put(kind + "/" + system + "/" + id, node) != null) {
      throw new XmlException(
          from.line(), ErrorText.of("<%s> %s is there twice", from.name(), node));
    }
    if (of(kind).size() == MOST_NODES) {
      throw new XmlException(
          from.line(), ErrorText.of("there are more than %d of %s", MOST_NODES, kind));
    }
    of(kind).add(node);
    return node;
  }

  private static void join(LinkKind kind, TopologyNode one, TopologyNode other, float bandwidth) {
    one.connect(kind, other, bandwidth);
    other.connect(kind, one, bandwidth);
  }

  private void addCpu(XmlElement element) throws XmlException {
    String host = element.attributes().getOrDefault("host_hash", "");
    if (!hosts.contains(host)) {
      hosts.add(host);
    }
    int system = hosts.indexOf(host);
    int numa = element.requireInt("numaid");
    String arch = element.require("arch");
    boolean x86 = arch.equals("x86_64");
    NodeFacts.Cpu facts =
        new NodeFacts.Cpu(
            numa,
            arch,
            x86 ? element.require("vendor") : "",
            element.getInt("familyid", 0),
            element.getInt("modelid", 0),
            element.attributes().getOrDefault("affinity", ""));
    TopologyNode cpu = create(element, NodeKind.CPU, system, Integer.toString(numa), facts);
    for (XmlElement child : element.children()) {
      if (child.name().equals("pci")) {
        addPci(child, cpu);
      } else if (child.name().equals("nic")) {
        String id = "numa" + numa;
        TopologyNode nic = find(NodeKind.NIC, system, id);
        if (nic == null) {
          nic = create(child, NodeKind.NIC, system, id, new NodeFacts.None());
          join(LinkKind.PCI, cpu, nic, LinkSpeeds.LOCAL);
        }
        addNets(child, nic);
      }
    }
  }

  private void addPci(XmlElement element, TopologyNode parent) throws XmlException {
    String busId = busId(element, "busid");
    int system = parent.system();
    XmlElement gpu = element.child("gpu");
    XmlElement nic = element.child("nic");
    TopologyNode node = null;
    if (gpu != null && gpu.get("rank") != null) {
      node = create(element, NodeKind.GPU, system, busId, gpuFacts(gpu));
      remember(gpu, system, busId);
    }
    if (nic != null) {
      TopologyNode card = create(element, NodeKind.NIC, system, busId, new NodeFacts.None());
      addNets(nic, card);
      if (node != null) {
        throw new XmlException(element.line(), ErrorText.of("%s is a gpu and a nic", busId));
      }
      node = card;
    } else if (gpu == null && isSwitch(element)) {
      node = create(element, NodeKind.PCI, system, busId, new NodeFacts.Pci(deviceOf(element)));
      for (XmlElement child : element.children()) {
        if (child.name().equals("pci")) {
          addPci(child, node);
        }
      }
      remember(element, system, busId);
    }
    if (node != null) {
      int width = element.requireInt("link_width");
      if (width < 0 || width > 32) {
        throw element.wrong("link_width", Integer.toString(width), "from 0 to 32");
      }
      parents.put(node, parent);
      join(LinkKind.PCI, node, parent, LinkSpeeds.pci(element.require("link_speed"), width));
    }
  }

  private void remember(XmlElement element, int system, String busId) {
    for (XmlElement child : element.children()) {
      pending.add(new Pending(child, system, busId));
    }
  }

  private static NodeFacts.Gpu gpuFacts(XmlElement gpu) throws XmlException {
    return new NodeFacts.Gpu(
        gpu.requireInt("dev"),
        gpu.requireInt("rank"),
        gpu.requireInt("sm"),
        gpu.requireInt("gdr") != 0);
  }

  /** Returns whether a PCI device is no GPU, network card, NVSwitch or CPU by its class. */
  private static boolean isSwitch(XmlElement element) throws XmlException {
    String kind = element.require("class");
    return !kind.startsWith("0x03") && !kind.startsWith("0x02") && !kind.startsWith("0x0680");
  }

  private static long deviceOf(XmlElement element) throws XmlException {
    long device = 0;
    for (String part : List.of("vendor", "device", "subsystem_vendor", "subsystem_device")) {
      device = device << 16 | (element.getHex(part) & 0xffff);
    }
    return device;
  }

  private void addNets(XmlElement nic, TopologyNode card) throws XmlException {
    for (XmlElement child : nic.children()) {
      if (!child.name().equals("net") || child.get("dev") == null) {
        continue;
      }
      int device = child.requireInt("dev");
      int mbps = child.getInt("speed", 0);
      NodeFacts.Net facts =
          new NodeFacts.Net(
              device,
              child.attributes().getOrDefault("name", ""),
              child.getHex("guid"),
              child.getInt("port", 0),
              Math.max(0, mbps),
              child.getFloat("latency", 0),
              child.getInt("gdr", 0) != 0,
              child.getInt("coll", 0) != 0);
      TopologyNode net =
          create(child, NodeKind.NET, card.system(), Integer.toString(device), facts);
      join(LinkKind.NET, card, net, LinkSpeeds.net(mbps));
    }
  }

  private void addLink(Pending link) throws XmlException {
    XmlElement element = link.element();
    switch (element.name()) {
      case "nvlink" -> addNvlink(element, link);
      case "c2c" -> {
        TopologyNode gpu = required(element, NodeKind.GPU, link);
        TopologyNode cpu = cpuAbove(gpu);
        long mbps = (long) element.requireInt("bw") * element.requireInt("count");
        if (mbps <= 0) {
          throw element.wrong("bw", element.require("bw"), "above 0, as count");
        }
        join(LinkKind.C2C, gpu, cpu, (float) (mbps / 1000.0));
      }
      case "pcilink" -> {
        TopologyNode far = find(NodeKind.PCI, link.system(), otherDevice(element, link));
        if (far != null) {
          required(element, NodeKind.PCI, link).connect(LinkKind.LOC, far, LinkSpeeds.LOCAL);
        }
      }
      default -> {} // what a later NCCL adds, as NCCL itself passes over it
    }
  }

  private void addNvlink(XmlElement element, Pending link) throws XmlException {
    TopologyNode gpu = required(element, NodeKind.GPU, link);
    int count = element.requireInt("count");
    if (count < 1 || count > 256) {
      throw element.wrong("count", Integer.toString(count), "from 1 to 256");
    }
    String kind = element.require("tclass");
    int generation = ((NodeFacts.Gpu) gpu.facts()).computeCapability();
    float bandwidth = count * LinkSpeeds.nvlink(generation);
    if (kind.startsWith("0x03")) {
      TopologyNode far = find(NodeKind.GPU, link.system(), otherDevice(element, link));
      if (far != null) {
        gpu.connect(LinkKind.NVL, far, bandwidth);
      }
    } else if (kind.startsWith("0x068001")) {
      join(LinkKind.NVL, gpu, cpuAbove(gpu), bandwidth);
    } else {
      TopologyNode all = find(NodeKind.NVS, 0, "0");
      if (all == null) {
        all = create(element, NodeKind.NVS, 0, "0", new NodeFacts.None());
      }
      join(LinkKind.NVL, gpu, all, bandwidth);
    }
  }

  private static String otherDevice(XmlElement element, Pending link) throws XmlException {
    String target = busId(element, "target");
    if (target.equals(link.busId())) {
      throw element.wrong("target", target, "another device");
    }
    return target;
  }

  private TopologyNode required(XmlElement element, NodeKind kind, Pending link)
      throws XmlException {
    TopologyNode node = find(kind, link.system(), link.busId());
    if (node == null) {
      throw new XmlException(
          element.line(),
          ErrorText.of("<%s> is of %s, which is no %s", element.name(), link.busId(), kind));
    }
    return node;
  }

  /** Goes up the PCI tree; every device of it hangs below a CPU. */
  private TopologyNode cpuAbove(TopologyNode device) {
    TopologyNode at = device;
    while (at.kind() != NodeKind.CPU) {
      at = Objects.requireNonNull(parents.get(at));
    }
    return at;
  }

  /** Paths are found backwards: a link that leads one way only would lead nowhere. */
  private void requireReverse(XmlElement system) throws XmlException {
    for (List<TopologyNode> kind : nodes.values()) {
      for (TopologyNode node : kind) {
        for (TopologyLink link : node.links()) {
          if (link.to().indexOf(link.kind(), node) < 0) {
            throw new XmlException(
                system.line(),
                ErrorText.of(
                    "%s has a link %s to %s, which has none back", node, link.kind(), link.to()));
          }
        }
      }
    }
  }

  private void connectCpus() {
    for (TopologyNode one : of(NodeKind.CPU)) {
      for (TopologyNode other : of(NodeKind.CPU)) {
        if (one != other && one.system() == other.system()) {
          float bandwidth = LinkSpeeds.betweenCpus((NodeFacts.Cpu) one.facts());
          one.connect(LinkKind.SYS, other, bandwidth);
        }
      }
    }
  }

  /** Puts the link to the parent last; mirrors {@code ncclTopoSort}. */
  private static void sort(TopologyNode node, @Nullable TopologyNode parent) {
    List<TopologyLink> links = node.changeable();
    if (parent != null) {
      int up = node.indexOf(LinkKind.PCI, parent);
      links.add(links.remove(up));
    }
    for (TopologyLink link : node.links()) {
      if (link.kind() == LinkKind.PCI && link.to() != parent) {
        sort(link.to(), node);
      }
    }
  }

  /** Returns a bus id in one spelling, since NCCL compares the number in it. */
  private static String busId(XmlElement element, String key) throws XmlException {
    String value = element.require(key);
    if (!value.matches("[0-9a-fA-F]{1,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9a-fA-F]")) {
      throw element.wrong(key, value, "a bus id, such as 0000:1b:00.0");
    }
    String lower = value.toLowerCase(Locale.ROOT);
    int colon = lower.indexOf(':');
    return ErrorText.of("%04x", Long.parseLong(lower.substring(0, colon), 16))
        + lower.substring(colon);
  }
}
