// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology.near;

import io.nitinol.core.topology.NodeFacts;
import io.nitinol.core.topology.NodeKind;
import io.nitinol.core.topology.PathOptions;
import io.nitinol.core.topology.Topology;
import io.nitinol.core.topology.TopologyDocument;
import io.nitinol.core.topology.TopologyException;
import io.nitinol.core.topology.TopologyNode;
import io.nitinol.core.topology.TopologyPaths;
import io.nitinol.core.topology.detect.DetectedGpu;
import io.nitinol.core.topology.detect.DetectedNet;
import io.nitinol.core.topology.detect.MachineDetection;
import io.nitinol.core.topology.detect.SystemFiles;
import io.nitinol.core.topology.detect.ThisMachine;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.file.ProcessorList;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The network devices that a rank uses on a machine that has several. Example: of two processors
 * with a network device each, a rank that is bound to the second one uses the second device.
 *
 * @param devices their numbers, in the order in which channels take them; empty where all are alike
 *     to the rank
 * @param place what they are near to, for the log; empty where all are alike
 */
public record NearNets(List<Integer> devices, String place) {
  /** All devices are alike. */
  public static final NearNets ALL = new NearNets(List.of(), "");

  private static final String NODES = "/sys/devices/system/node/";
  private static final String BOUND = "Cpus_allowed_list:";

  /** Copies the numbers. */
  public NearNets {
    devices = List.copyOf(devices);
  }

  /**
   * Chooses those of a rank of this machine.
   *
   * @param busId the address of the GPU whose memory it works on; null for a rank on host memory,
   *     which uses those near the processors that the calling thread is bound to
   * @param nets all that its plugin has
   * @param settings where {@code NCCL_TOPO_FILE} is read, and what forbids paths
   * @throws TopologyException where {@code NCCL_TOPO_FILE} cannot be used
   */
  public static NearNets here(@Nullable String busId, List<DetectedNet> nets, Settings settings)
      throws TopologyException {
    SystemFiles files = new SystemFiles(Path.of("/"));
    return busId == null
        ? nearProcessors(files, nets)
        : nearGpu(files, busId, nets, ThisMachine.known(settings), PathOptions.of(settings));
  }

  /**
   * Chooses those near a GPU; mirrors {@code ncclTopoGetLocalNet}. GPUs that are equally near to
   * the same devices share them out.
   *
   * @param files the machine
   * @param busId the GPU's address on the PCI bus
   * @param nets the devices there are
   * @param known what a topology file says of the machine; null for none
   * @param options what the user forbids paths
   * @return {@link #ALL} where the machine does not show the GPU
   * @throws TopologyException where the file and the machine do not go together
   */
  static NearNets nearGpu(
      SystemFiles files,
      String busId,
      List<DetectedNet> nets,
      @Nullable TopologyDocument known,
      PathOptions options)
      throws TopologyException {
    String address = busId.toLowerCase(Locale.ROOT);
    List<DetectedGpu> gpus = DetectedGpu.bySystem(files);
    int rank = 0;
    while (rank < gpus.size() && !gpus.get(rank).wiring().pciId().equals(address)) {
      rank++;
    }
    if (rank == gpus.size()) {
      return ALL;
    }
    Topology machine = MachineDetection.describe(files, "0x0", gpus, nets, known).topology();
    TopologyPaths paths = TopologyPaths.of(machine, options);
    Set<Integer> found = new LinkedHashSet<>();
    for (TopologyNode gpu : machine.nodes(NodeKind.GPU)) {
      if (gpu.facts() instanceof NodeFacts.Gpu facts && facts.rank() == rank) {
        for (int channel = 0; channel < nets.size(); channel++) {
          TopologyNode net = paths.localNet(gpu, channel);
          if (net != null && net.facts() instanceof NodeFacts.Net chosen) {
            found.add(chosen.device());
          }
        }
      }
    }
    return found.isEmpty() ? ALL : new NearNets(List.copyOf(found), "GPU " + address);
  }

  /**
   * Chooses those of the NUMA domains to whose processors the calling thread is bound.
   *
   * @param files the machine
   * @param nets the devices there are
   * @return those of the fastest devices that are near, or of which nobody knows where they are;
   *     {@link #ALL} where there are none, or the thread is bound to no part of the machine
   */
  static NearNets nearProcessors(SystemFiles files, List<DetectedNet> nets) {
    BitSet allowed = allowed(files.text("/proc/thread-self/status"));
    List<Integer> domains = new ArrayList<>();
    int all = 0;
    BitSet present = ProcessorList.of(files.text(NODES + "online"));
    for (int domain = present.nextSetBit(0); domain >= 0; domain = present.nextSetBit(domain + 1)) {
      BitSet own = ProcessorList.of(files.text(NODES + "node" + domain + "/cpulist"));
      all += own.isEmpty() ? 0 : 1;
      if (own.intersects(allowed)) {
        domains.add(domain);
      }
    }
    if (domains.isEmpty() || domains.size() == all) {
      return ALL;
    }
    int fastest = nets.stream().mapToInt(DetectedNet::mbps).max().orElse(0);
    List<Integer> near = new ArrayList<>();
    for (DetectedNet net : nets) {
      Path directory = files.below(net.pciPath());
      String domain = directory == null ? "" : files.text(directory.resolve("numa_node"));
      boolean unknown = !domain.matches("[0-9]+"); // -1 for a device of a virtual machine
      if (net.mbps() == fastest
          && (unknown || domains.stream().anyMatch(each -> domain.equals(each.toString())))) {
        near.add(net.device());
      }
    }
    return near.isEmpty() || near.size() == nets.size()
        ? ALL
        : new NearNets(near, "the processors of NUMA " + domains);
  }

  private static BitSet allowed(String status) {
    for (String line : status.lines().toList()) {
      if (line.startsWith(BOUND)) {
        return ProcessorList.of(line.substring(BOUND.length()));
      }
    }
    return new BitSet();
  }
}
