// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.ib;

import io.nitinol.bench.socket.EndProcess;
import io.nitinol.bench.socket.Ends;
import io.nitinol.bench.socket.Place;
import io.nitinol.core.launch.JvmCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Ends of a connection between two RDMA devices; a place's device is the RDMA device. */
enum IbEnds implements Ends {
  OURS("IB"),
  /** Writes with immediate data, and can only ping. */
  C_IMM("C imm");

  private final String label;

  IbEnds(String label) {
    this.label = label;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public List<String> command(boolean near, int connections, int largest, Place place) {
    String role = near ? "near" : "far";
    return switch (this) {
      case OURS ->
          JvmCommand.ofThisProcess()
              .run(
                  EndProcess.class,
                  List.of(role, Integer.toString(connections), Integer.toString(largest)));
      case C_IMM ->
          List.of(program().toString(), role, place.device(), Integer.toString(Gid.index()));
    };
  }

  @Override
  public Map<String, String> environment(Place place) {
    return this == OURS
        ? Map.of(
            "NCCL_NET",
            "IB",
            "NCCL_IB_HCA",
            "=" + place.device(),
            "NCCL_IB_GID_INDEX",
            Integer.toString(Gid.index()))
        : Map.of();
  }

  /** Returns where the C program is, once it is compiled. */
  static Path program() {
    return Path.of(System.getProperty("nitinol.root", "."), "bench/target/ib_peer");
  }
}
