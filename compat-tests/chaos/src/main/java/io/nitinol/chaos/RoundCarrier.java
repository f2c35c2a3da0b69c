// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import static io.nitinol.chaos.Fault.ABORT;
import static io.nitinol.chaos.Fault.CABLE_OUT;
import static io.nitinol.chaos.Fault.CABLE_PAUSE;
import static io.nitinol.chaos.Fault.CLOCK;
import static io.nitinol.chaos.Fault.DESCRIPTORS;
import static io.nitinol.chaos.Fault.KILL;
import static io.nitinol.chaos.Fault.LEAVE;
import static io.nitinol.chaos.Fault.MEMORY;
import static io.nitinol.chaos.Fault.NONE;
import static io.nitinol.chaos.Fault.PAUSE;
import static io.nitinol.chaos.Fault.PLUGIN;
import static io.nitinol.chaos.Fault.STOP;
import static io.nitinol.chaos.Fault.SWITCH;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The way in which the ranks of a job exchange data, and the faults that can meet it. */
enum RoundCarrier {
  /** Shared memory of one host. */
  SHM,

  /** The TCP plugin. */
  TCP,

  /** The TCP plugin with encryption. */
  TLS,

  /** The TCP plugin behind one that fails when it is told to. */
  FAULTY,

  /** A software switch that reduces, each rank as a host of its own. */
  SWITCHED,

  /** Two hosts with a cable between them. */
  CABLE,

  /** Two hosts whose link delays, loses and reorders packets. */
  BAD_LINK,

  /** The InfiniBand plugin, in the RDMA guest, each half of the ranks on a device of its own. */
  IB;

  /** Seconds for which the plugin of the switch waits for the other ranks of a group. */
  private static final int SWITCH_SECONDS = 10;

  /** Seconds of silence that ranks bear. */
  static final int SILENCE = 4;

  /** The same where a link is out for a moment: each try of TCP is twice as long after the last. */
  static final int PATIENCE = 20;

  /**
   * Seconds in which ranks must have met. A rank that has reached the root waits twice as long for
   * the root's report of the others, and that must be less than {@link RoundVerdict#SILENT_LIMIT}.
   */
  static final int MEETING = 12;

  /** Returns the faults that can meet it; one that is there twice does so twice as often. */
  List<Fault> faults() {
    return switch (this) {
      case SHM -> List.of(KILL, STOP, PAUSE, ABORT, LEAVE, DESCRIPTORS, MEMORY, CLOCK);
      case TCP -> List.of(KILL, STOP, PAUSE, ABORT, LEAVE, DESCRIPTORS, CLOCK);
      case TLS -> List.of(KILL, STOP, PAUSE, ABORT, LEAVE, DESCRIPTORS, CLOCK);
      case FAULTY -> List.of(PLUGIN, KILL);
      case SWITCHED -> List.of(KILL, STOP, PAUSE, ABORT, LEAVE, SWITCH);
      case CABLE -> List.of(KILL, STOP, PAUSE, ABORT, LEAVE, CABLE_OUT, CABLE_PAUSE);
      case BAD_LINK -> List.of(NONE, NONE, KILL, ABORT, LEAVE);
      // Soft-RoCE ends all connections of a port that goes down, and those that lose what they
      // send.
      case IB -> List.of(KILL, STOP, PAUSE, ABORT, LEAVE, PLUGIN, DESCRIPTORS, CABLE_OUT);
    };
  }

  /** Returns whether the ranks live on two hosts, in namespaces. */
  boolean isTwoHosts() {
    return this == CABLE || this == BAD_LINK;
  }

  /** Returns the name of the network plugin. */
  String plugin() {
    return this == IB ? "IB" : "Socket";
  }

  /** Returns the most ranks of a round. */
  int mostRanks() {
    return isTwoHosts() || this == IB ? 4 : 8;
  }

  /** Returns the variables of all ranks of such jobs. */
  Map<String, String> variables(ChaosPace pace) {
    Map<String, String> variables = new HashMap<>();
    variables.put("NCCL_SOCKET_IFNAME", "lo");
    variables.put("NCCL_NET", plugin());
    variables.put("NCCL_DEBUG", "WARN");
    variables.put(
        "NITINOL_TIMEOUT", Integer.toString(pace.seconds(this == BAD_LINK ? PATIENCE : SILENCE)));
    variables.put("NITINOL_BOOTSTRAP_TIMEOUT", Integer.toString(pace.seconds(MEETING)));
    if (this == FAULTY) {
      variables.put(Worker.FAULTY, "1");
    }
    if (this == TCP || this == TLS || this == FAULTY || this == IB) {
      variables.put("NCCL_P2P_DISABLE", "1");
      variables.put("NCCL_SHM_DISABLE", "1");
    }
    if (this == TLS) {
      variables.put("NITINOL_SOCKET_TLS", "1");
    }
    if (this == IB) {
      // With 18 a card gives a cable up after some eight seconds, and one more doubles that. With
      // 31, the most that there is, it would try again for hours.
      int doublings = 32 - Integer.numberOfLeadingZeros(pace.seconds(1) - 1);
      variables.put("NCCL_IB_TIMEOUT", Integer.toString(Math.min(18 + doublings, 24)));
      variables.put("NCCL_IB_RETRY_CNT", "7");
      variables.put("NITINOL_IB_CONNECT_MSEC", Integer.toString(1000 * pace.seconds(MEETING)));
    }
    if (this == SWITCHED) {
      variables.put("NCCL_COLLNET_ENABLE", "1");
      variables.put("NCCL_ALGO", "allreduce:CollnetDirect,CollnetChain,Ring");
      // A thread that waits inside the plugin for a rank that died before it came cannot be called
      // back: it stays for this time.
      variables.put("NITINOL_COLLNET_TIMEOUT", Integer.toString(pace.seconds(SWITCH_SECONDS)));
      variables.put("NITINOL_COLLNET", "Switch");
    }
    return variables;
  }
}
