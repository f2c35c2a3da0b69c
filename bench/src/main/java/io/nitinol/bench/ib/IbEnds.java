// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.ib;

import io.nitinol.bench.socket.EndProcess;
import io.nitinol.bench.socket.Ends;
import io.nitinol.bench.socket.Manner;
import io.nitinol.bench.socket.Place;
import io.nitinol.core.launch.JvmCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Ends of a connection between two RDMA devices; a place's device is the RDMA device.
 *
 * @param side the side that they belong to
 * @param pairs queue pairs
 * @param manner how they go about it
 */
record IbEnds(Side side, int pairs, Manner manner) implements Ends {
  /** Whose ends they are. */
  enum Side {
    OURS("IB"),
    /** Writes with immediate data into receives that are posted ahead. */
    C_IMMEDIATE("C imm"),
    /** Does what ours do: the receiver says where each message goes. */
    C_CLEAR("C clear");

    private final String label;

    Side(String label) {
      this.label = label;
    }
  }

  @Override
  public String label() {
    return side.label;
  }

  @Override
  public List<String> command(boolean near, int connections, int largest, Place place) {
    List<String> words = new ArrayList<>(List.of(near ? "near" : "far"));
    if (side == Side.OURS) {
      words.addAll(List.of(Integer.toString(connections), Integer.toString(largest)));
      words.addAll(manner.words());
      return JvmCommand.ofThisProcess().run(EndProcess.class, words);
    }
    words.addFirst(program().toString());
    words.add(side == Side.C_CLEAR ? "clear" : "imm");
    words.addAll(List.of(place.device(), Integer.toString(PortGid.index())));
    for (int each : new int[] {pairs, manner.slots(), largest}) {
      words.add(Integer.toString(each));
    }
    words.add(manner.yields() ? "yield" : "spin");
    return words;
  }

  @Override
  public Map<String, String> environment(Place place) {
    return side != Side.OURS
        ? Map.of()
        : Map.of(
            "NCCL_NET",
            "IB",
            "NCCL_IB_HCA",
            "=" + place.device(),
            "NCCL_IB_GID_INDEX",
            Integer.toString(PortGid.index()),
            "NCCL_IB_QPS_PER_CONNECTION",
            Integer.toString(pairs));
  }

  /** Returns where the C program is, once it is compiled. */
  static Path program() {
    return Path.of(System.getProperty("nitinol.root", "."), "bench/target/ib_peer");
  }
}
