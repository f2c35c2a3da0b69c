// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.sim;

import io.nitinol.cli.command.CommandFailure;
import io.nitinol.core.sim.cluster.Dragonfly;
import io.nitinol.core.sim.cluster.FatTree;
import io.nitinol.core.sim.cluster.HostType;
import io.nitinol.core.sim.cluster.SimulatedCluster;
import io.nitinol.core.sim.cluster.SimulatedFabric;
import io.nitinol.core.sim.cluster.SingleSwitch;
import io.nitinol.core.topology.TopologyDocument;
import io.nitinol.core.topology.TopologyException;
import io.nitinol.toolkit.ErrorText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** The options that describe the cluster. */
final class ClusterOptions {
  /** Bytes per microsecond of a Gbit/s and of a GB/s. */
  private static final double GBIT = 125;

  private static final double GBYTE = 1000;
  private static final int MOST_HOSTS = 1 << 20;

  /** The fabrics. */
  enum Kind {
    /** A rail-optimised fat tree. */
    FAT_TREE,
    /** A dragonfly. */
    DRAGONFLY,
    /** One switch. */
    SWITCH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  @Option(names = "--hosts", paramLabel = "N", description = "Hosts; 2 by default.")
  private int hosts = 2;

  @Option(names = "--gpus", paramLabel = "N", description = "GPUs of a host, each a rank; 8.")
  private int gpus = 8;

  @Option(
      names = "--nics",
      paramLabel = "N",
      description = "Network devices of a host, shared evenly by its GPUs; one for each GPU.")
  private int nics;

  @Option(
      names = "--nic-gbits",
      paramLabel = "RATE",
      description = "Gbit/s of a network device, each way; 400.")
  private double nicGbits = 400;

  @Option(
      names = "--gpu-gbytes",
      paramLabel = "RATE",
      description = "GB/s of a GPU to the others of its host, each way; 450.")
  private double gpuGbytes = 450;

  @Option(
      names = "--host",
      paramLabel = "N:XML",
      description = {
        "N hosts as a topology file in NCCL's format describes them; several of these make a mixed"
            + " cluster. Instead of --hosts, --gpus, --nics, --nic-gbits and --gpu-gbytes."
      })
  private List<String> described = List.of();

  @Option(
      names = "--fabric",
      paramLabel = "KIND",
      description =
          "fat-tree, rail-optimised: device i of every host on leaf switches of its own (default);"
              + " dragonfly; or switch, a single one.")
  private Kind fabric = Kind.FAT_TREE;

  @Option(
      names = "--hosts-per-leaf",
      paramLabel = "N",
      description = "Hosts of a leaf switch, or of a router of a dragonfly; 32.")
  private int hostsPerLeaf = 32;

  @Option(
      names = "--spines",
      paramLabel = "N",
      description = "Spine switches; as many as a leaf has hosts.")
  private int spines;

  @Option(
      names = "--oversubscription",
      paramLabel = "X",
      description = "How many times what its uplinks carry the devices of a leaf could send; 1.")
  private double oversubscription = 1;

  @Option(names = "--routers", paramLabel = "N", description = "Routers of a dragonfly's group; 8.")
  private int routers = 8;

  @Option(
      names = "--local-gbits",
      paramLabel = "RATE",
      description = "Gbit/s between two routers of a group; what the devices of a host have.")
  private double localGbits;

  @Option(
      names = "--global-gbits",
      paramLabel = "RATE",
      description = "Gbit/s between two groups; what the devices of a host have.")
  private double globalGbits;

  /** Makes the cluster. */
  SimulatedCluster cluster() {
    positive("--nic-gbits", nicGbits);
    positive("--gpu-gbytes", gpuGbytes);
    positive("--oversubscription", oversubscription);
    within("--hosts-per-leaf", hostsPerLeaf, 1, MOST_HOSTS);
    within("--spines", spines, 0, MOST_HOSTS);
    within("--routers", routers, 1, MOST_HOSTS);
    List<HostType> types = new ArrayList<>();
    int[] typeOf;
    if (described.isEmpty()) {
      within("--hosts", hosts, 1, MOST_HOSTS);
      within("--gpus", gpus, 1, HostType.MOST);
      within("--nics", nics, 0, HostType.MOST);
      int devices = nics == 0 ? gpus : nics;
      types.add(HostType.of(gpus, devices, nicGbits * GBIT, gpuGbytes * GBYTE));
      typeOf = new int[hosts];
    } else {
      typeOf = new int[0];
      for (String each : described) {
        int colon = each.indexOf(':');
        int count = colon < 0 ? 0 : count(each, each.substring(0, colon));
        if (count == 0) {
          throw wrong("--host", each, "N:XML, such as 16:machine.xml");
        }
        if (typeOf.length + (long) count > MOST_HOSTS) {
          throw wrong("--host", each, "at most " + MOST_HOSTS + " hosts");
        }
        int from = typeOf.length;
        typeOf = Arrays.copyOf(typeOf, from + count);
        Arrays.fill(typeOf, from, typeOf.length, types.size());
        types.add(read(each.substring(colon + 1)));
      }
    }
    try {
      return new SimulatedCluster(types, typeOf, fabric(types, typeOf.length));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage("the cluster: " + e.getMessage());
    }
  }

  private static int count(String option, String text) {
    try {
      return within("--host", Integer.parseInt(text), 1, MOST_HOSTS);
    } catch (NumberFormatException e) {
      throw wrong("--host", option, "N:XML, such as 16:machine.xml");
    }
  }

  private static HostType read(String file) {
    try {
      return HostType.of(file, TopologyDocument.read(Path.of(file)).topology());
    } catch (TopologyException | IllegalArgumentException e) {
      throw CommandFailure.usage("--host: " + e.getMessage());
    }
  }

  private SimulatedFabric fabric(List<HostType> types, int count) {
    int rails = types.stream().mapToInt(HostType::nics).max().orElse(1);
    double fastest =
        types.stream()
            .flatMap(type -> type.nicRates().stream())
            .mapToDouble(Double::doubleValue)
            .max()
            .orElse(1);
    double ofHost = fastest * rails;
    return switch (fabric) {
      case SWITCH -> new SingleSwitch();
      case FAT_TREE -> {
        int perLeaf = Math.min(hostsPerLeaf, count);
        int many = spines == 0 ? perLeaf : spines;
        double uplink = fastest * perLeaf / many / oversubscription;
        yield new FatTree(count, rails, perLeaf, many, uplink);
      }
      case DRAGONFLY -> {
        int perRouter = Math.min(hostsPerLeaf, count);
        int groups = Math.ceilDiv(Math.ceilDiv(count, perRouter), routers);
        yield new Dragonfly(
            groups,
            routers,
            perRouter,
            localGbits > 0 ? localGbits * GBIT : ofHost,
            globalGbits > 0 ? globalGbits * GBIT : ofHost);
      }
    };
  }

  private static int within(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw wrong(name, Integer.toString(value), ErrorText.of("%d to %d", least, most));
    }
    return value;
  }

  private static void positive(String name, double value) {
    if (!(value > 0) || value > 1e6) {
      throw wrong(name, Double.toString(value), "more than 0 and at most 1000000");
    }
  }

  private static CommandFailure wrong(String name, String value, String expected) {
    return CommandFailure.usage(ErrorText.of("%s=%s: expected %s", name, value, expected));
  }
}
