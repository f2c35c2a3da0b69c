// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.config;

import io.nitinol.spi.config.Variable;
import java.util.List;

/** The variables of the machine's topology and of the search in it; all are NCCL's. */
public final class TopologyVariables {
  /** How far apart two ends may be: a kind of path, or a number of NCCL's older versions. */
  private static final List<String> LEVELS =
      List.of(
          "LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS", "0", "1", "2", "3",
          "4", "5");

  /** What is known of the machine beside what it shows. */
  public static final Variable<String> TOPO_FILE =
      Variable.text(
          "NCCL_TOPO_FILE",
          "a file name",
          "",
          "What this file in NCCL's format says of the machine goes before what the machine shows;"
              + " for nitinol topo and the dumps of communicators.");

  /** Where the topology is written to. */
  public static final Variable<String> TOPO_DUMP_FILE =
      Variable.text(
          "NCCL_TOPO_DUMP_FILE",
          "a file name",
          "",
          "Write the topology of the machine to this file, in NCCL's format: nitinol topo does, and"
              + " rank 0 of a communicator on devices.");

  /** Graphs that are not searched. */
  public static final Variable<String> GRAPH_FILE =
      Variable.text(
          "NCCL_GRAPH_FILE",
          "a file name",
          "",
          "Take the graphs in this file, in NCCL's format, instead of searching them.");

  /** Where the graphs are written to. */
  public static final Variable<String> GRAPH_DUMP_FILE =
      Variable.text(
          "NCCL_GRAPH_DUMP_FILE",
          "a file name",
          "",
          "Write the graphs to this file, in NCCL's format: nitinol topo does, and rank 0 of a"
              + " communicator on devices.");

  /** How far apart GPUs may be that use each other's memory. */
  public static final Variable<String> P2P_LEVEL =
      Variable.choice(
          "NCCL_P2P_LEVEL",
          LEVELS,
          "",
          "In the topology, GPUs that are farther apart than this go through the CPU; unset is PXB,"
              + " or SYS with two GPUs of AMD processors. The numbers 0 to 5 mean LOC, PIX, PXB, PHB,"
              + " SYS, SYS.");

  /** How far a network device may be from the GPU whose memory it uses. */
  public static final Variable<String> NET_GDR_LEVEL =
      Variable.choice(
          "NCCL_NET_GDR_LEVEL",
          LEVELS,
          "",
          "In the topology, network devices that are farther from a GPU than this go through the"
              + " CPU; unset is PXB. The numbers 0 to 5 mean LOC, PIX, PXB, PHB, SYS, SYS.");

  /** The value of {@link #CROSS_NIC} by which every device reaches every other one. */
  public static final int CROSSES = 1;

  /** Whether a channel may leave a host over another network device than it came. */
  public static final Variable<Integer> CROSS_NIC =
      Variable.integer(
          "NCCL_CROSS_NIC",
          0,
          2,
          2,
          "Whether a ring may leave a host over another network device than it came: 0 never, 1 yes,"
              + " 2 where it gives more bandwidth. With 1 a communicator's connections use the devices"
              + " near the rank at each end, which have to reach each other; else devices of the same"
              + " number at both ends.");

  /** Whether a GPU may send over the network device of another one. */
  public static final Variable<Boolean> PXN_DISABLE =
      Variable.flag(
          "NCCL_PXN_DISABLE",
          false,
          "In the topology, no GPU sends over NVLink to one that is nearer to the network device.");

  /** Whether NVLink paths may lead through a GPU. */
  public static final Variable<Boolean> NVB_DISABLE =
      Variable.flag(
          "NCCL_NVB_DISABLE", false, "In the topology, no NVLink path leads through another GPU.");

  /** Whether GPUs reduce in their switches. */
  public static final Variable<Integer> NVLS_ENABLE =
      Variable.integer(
          "NCCL_NVLS_ENABLE",
          0,
          2,
          2,
          "Whether NCCL's graphs and costs, as nitinol topo shows them, count on NVSwitches that"
              + " reduce: 0 no, 1 yes, 2 from Hopper on. No operation of Nitinol does.");

  /** Whether threads of a rank on a GPU may leave the processors that its process is bound to. */
  public static final Variable<Boolean> IGNORE_CPU_AFFINITY =
      Variable.flag(
          "NCCL_IGNORE_CPU_AFFINITY",
          false,
          "Bind the threads of a rank on a GPU to the processors near it, also to those that its"
              + " process was not given; unset takes those near it of which it was given some.");

  private TopologyVariables() {}
}
