// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.detect;

import io.nitinol.core.topology.TopologyDocument;
import io.nitinol.core.topology.TopologyException;
import io.nitinol.spi.topology.v1.DeviceWiring;
import io.nitinol.spi.topology.v1.FabricLink;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Puts the topology of a machine together: each GPU and network device with the PCI devices above
 * it, up to its NUMA domain. What a topology file says of them goes before what the machine says;
 * what it says of other devices is left out. Mirrors {@code ncclTopoGetSystem}: elements,
 * attributes and their order are those that NCCL 2.28 writes. Of one thread, for one machine.
 */
public final class MachineDetection {
  private static final String CLASS_GPU = "0x03";
  private static final String CLASS_NET = "0x02";
  private static final String NVSWITCH = "0x068000";
  private static final String BROADCOM = "0x1000";

  private final SystemFiles files;
  private final String hostHash;
  private final HostProcessor processor;
  private final Part system;

  private MachineDetection(SystemFiles files, String hostHash, Part system) {
    this.files = files;
    this.hostHash = hostHash;
    this.processor = HostProcessor.of(files);
    this.system = system;
  }

  /**
   * Describes a machine.
   *
   * @param files what its kernel shows
   * @param hostHash what tells it from other hosts, as {@code 0x} and hexadecimal digits
   * @param gpus its GPUs, in the order of their ranks
   * @param nets its network devices
   * @param known a file about it; null for none
   * @return the description, in NCCL's format
   * @throws TopologyException where the file and the machine do not go together
   */
  public static TopologyDocument describe(
      SystemFiles files,
      String hostHash,
      List<DetectedGpu> gpus,
      List<DetectedNet> nets,
      @Nullable TopologyDocument known)
      throws TopologyException {
    Part system = known == null ? new Part("system") : Part.of(known.root());
    system.setIfUnset("version", "1");
    MachineDetection detection = new MachineDetection(files, hostHash, system);
    for (Part child : system.children) {
      if (child.name.equals("cpu")) {
        child.set("host_hash", hostHash);
      }
    }
    // NCCL joins what each rank has found, the network devices with the first: so does the order.
    for (int i = 0; i < gpus.size(); i++) {
      detection.addGpu(gpus.get(i), i > 0);
      if (i == 0) {
        nets.forEach(detection::addNet);
      }
    }
    if (gpus.isEmpty()) {
      nets.forEach(detection::addNet);
    }
    system.trim();
    return TopologyDocument.of("this machine", system.element());
  }

  private void addGpu(DetectedGpu found, boolean last) {
    DeviceWiring wiring = found.wiring();
    Part pci = pciPart(wiring.pciId().toLowerCase(Locale.ROOT), CLASS_GPU, last);
    Part gpu = pci.child("gpu");
    gpu.kept = true;
    gpu.setIfUnset("dev", Integer.toString(wiring.index() < 0 ? found.rank() : wiring.index()));
    gpu.setIfUnset("sm", Integer.toString(wiring.generation()));
    gpu.set("rank", Integer.toString(found.rank()));
    gpu.setIfUnset("gdr", wiring.networkAccess() ? "1" : "0");
    if (gpu.children.stream().noneMatch(child -> child.name.equals("nvlink"))) {
      wiring.links().forEach(link -> addLink(gpu, link));
    }
    boolean joined = gpu.children.stream().anyMatch(child -> child.name.equals("c2c"));
    if (!joined && wiring.cpuLinks() > 0) {
      Part c2c = gpu.add(new Part("c2c"));
      c2c.set("bw", Integer.toString(wiring.cpuLinkMbytes()));
      c2c.set("count", Integer.toString(wiring.cpuLinks()));
    }
    for (Part link : gpu.children) {
      if (link.name.equals("nvlink")) {
        link.setIfUnset("tclass", kindOf(link.get("target")));
      }
    }
  }

  private static void addLink(Part gpu, FabricLink link) {
    Part part = gpu.add(new Part("nvlink"));
    part.set("target", link.peer().toLowerCase(Locale.ROOT));
    part.set("count", Integer.toString(link.count()));
  }

  /** Returns the class of what a link leads to; what a virtual machine hides is a switch. */
  private String kindOf(String busId) {
    Path device = files.pciDevice(busId);
    String kind = device == null ? "" : files.text(device.resolve("class"));
    return kind.isEmpty() ? NVSWITCH : kind;
  }

  private void addNet(DetectedNet found) {
    Part net = system.find("net", "name", found.name());
    if (net == null) {
      net = netParent(found).child("nic").add(new Part("net"));
      net.set("name", found.name());
    }
    net.kept = true;
    net.set("dev", Integer.toString(found.device()));
    net.setIfUnset("latency", fraction(found.latency()));
    net.setIfUnset("speed", Integer.toString(found.mbps()));
    net.setIfUnset("port", Integer.toString(found.port()));
    net.setIfUnset("guid", "0x" + Long.toHexString(found.guid()));
    net.setIfUnset("maxconn", Integer.toString(found.connections()));
    net.setIfUnset("gdr", found.gdr() ? "1" : "0");
    if (found.reduces()) {
      net.setIfUnset("coll", "1");
    }
  }

  private static String fraction(float value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Float.toString(value);
  }

  /** Returns the PCI device of a network device; the first domain for one that is on no bus. */
  private Part netParent(DetectedNet found) {
    Path device = files.below(found.pciPath());
    if (device != null && files.isPci(device)) {
      return pciPart(device.getFileName().toString().toLowerCase(Locale.ROOT), CLASS_NET, false);
    }
    for (Part child : system.children) {
      if (child.name.equals("cpu")) {
        return child;
      }
    }
    return cpuPart("-1");
  }

  /**
   * Returns the element of a PCI device, with all above it.
   *
   * @param last whether it goes behind its sisters, as what NCCL joins does; else it goes into
   *     their order
   */
  private Part pciPart(String busId, String kind, boolean last) {
    Part known = system.find("pci", "busid", busId);
    Part part = known == null ? new Part("pci") : known;
    part.setIfUnset("busid", busId);
    Path device = files.pciDevice(busId);
    setFromSystem(part, device, kind);
    if (known == null) {
      Part above = above(device, last);
      above.add(last ? above.children.size() : place(above, busId), part);
    } else {
      refresh(known);
    }
    return part;
  }

  /** Adds what the machine knows of the devices above one that a file has named. */
  private void refresh(Part known) {
    for (Part at = known.parent; at != null; at = at.parent) {
      if (at.name.equals("pci")) {
        setFromSystem(at, files.pciDevice(at.get("busid")), "");
      } else if (at.name.equals("cpu")) {
        setProcessor(at);
      }
    }
  }

  private static int place(Part above, String busId) {
    for (int i = 0; i < above.children.size(); i++) {
      String sister = above.children.get(i).get("busid");
      if (!sister.isEmpty() && busId.compareTo(sister) < 0) {
        return i;
      }
    }
    return above.children.size();
  }

  /**
   * Returns what is above a device: the upstream port of the switch, two directories up, or the
   * NUMA domain where the path leaves the PCI bus. Mirrors {@code ncclTopoGetXmlFromSys}.
   */
  private Part above(@Nullable Path device, boolean last) {
    if (device == null) {
      return cpuPart("-1");
    }
    Path port = device.getParent();
    Path up = port == null ? null : port.getParent();
    if (port == null || up == null || !isBusId(port) || !isBusId(up)) {
      String numa = files.text(device.resolve("numa_node"));
      return cpuPart(numa.matches("-?[0-9]{1,6}") ? numa : "-1");
    }
    return pciPart(up.getFileName().toString(), "", last);
  }

  private static boolean isBusId(Path directory) {
    Path name = directory.getFileName();
    return name != null
        && name.toString().matches("[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9a-fA-F]");
  }

  private void setFromSystem(Part part, @Nullable Path device, String kind) {
    if (device == null) {
      part.setIfUnset("class", kind.isEmpty() ? "0x060400" : kind);
    } else {
      for (String fact :
          List.of("class", "vendor", "device", "subsystem_vendor", "subsystem_device")) {
        String value = files.text(device.resolve(fact));
        if (!value.isEmpty()) {
          part.setIfUnset(fact, value);
        }
      }
      part.setIfUnset("class", kind);
    }
    part.setIfUnset("link_speed", device == null ? "" : slower(device));
    part.setIfUnset("link_width", Integer.toString(device == null ? 0 : narrower(device)));
    if (device != null && part.get("vendor").equals(BROADCOM)) {
      addSwitchLinks(part);
    }
  }

  /** Adds the links by which Broadcom's switches show as one. */
  private void addSwitchLinks(Part part) {
    for (String peer : files.switchPeers(part.get("busid"))) {
      boolean there =
          part.children.stream()
              .anyMatch(link -> link.name.equals("pcilink") && link.get("target").equals(peer));
      if (!there && files.pciDevice(peer) != null) {
        part.add(new Part("pcilink")).set("target", peer);
      }
    }
  }

  /** Returns the speed of the device or of the port above it, whichever is slower. */
  private String slower(Path device) {
    String own = files.text(device.resolve("max_link_speed"));
    String port = files.text(device.resolveSibling("max_link_speed"));
    return gigatransfers(port) < gigatransfers(own) ? port : own;
  }

  private static double gigatransfers(String speed) {
    int blank = speed.indexOf(' ');
    try {
      return blank < 0 ? Double.MAX_VALUE : Double.parseDouble(speed.substring(0, blank));
    } catch (NumberFormatException e) {
      return Double.MAX_VALUE; // "Unknown speed": the other one counts
    }
  }

  private int narrower(Path device) {
    return Math.min(
        lanes(files.text(device.resolve("max_link_width"))),
        lanes(files.text(device.resolveSibling("max_link_width"))));
  }

  /** Returns a number of lanes; 0, not known, for what cannot be: the kernel says 255 then. */
  private static int lanes(String width) {
    try {
      int lanes = Integer.parseInt(width);
      return lanes < 0 || lanes > 32 ? 0 : lanes;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private Part cpuPart(String numa) {
    Part known = system.find("cpu", "numaid", numa);
    if (known != null) {
      setProcessor(known);
      return known;
    }
    Part cpu = system.add(new Part("cpu"));
    cpu.set("host_hash", hostHash);
    cpu.set("numaid", numa);
    setProcessor(cpu);
    return cpu;
  }

  private void setProcessor(Part cpu) {
    String mask = files.text("/sys/devices/system/node/node" + cpu.get("numaid") + "/cpumap");
    if (!mask.isEmpty()) {
      cpu.setIfUnset("affinity", mask);
    }
    cpu.setIfUnset("arch", processor.arch());
    if (processor.arch().equals("x86_64")) {
      cpu.setIfUnset("vendor", processor.vendor());
      cpu.setIfUnset("familyid", Integer.toString(processor.family()));
      cpu.setIfUnset("modelid", Integer.toString(processor.model()));
    }
  }
}
