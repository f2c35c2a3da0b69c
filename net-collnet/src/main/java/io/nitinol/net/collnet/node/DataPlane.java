// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.toolkit.thread.OnlyThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The memory of a connected group and what works on it. */
@OnlyThread("switch worker")
final class DataPlane {
  final SwitchFlow flow;
  private final Arena arena;

  private DataPlane(SwitchFlow flow, Arena arena) {
    this.flow = flow;
    this.arena = arena;
  }

  /**
   * Allocates the memory and registers it with the comms.
   *
   * @param members the children in the order of their lowest ranks, all connected
   * @param above the parent, connected; null: this is the root
   */
  static DataPlane build(
      SwitchResources site,
      int nranks,
      GroupLayout layout,
      List<SwitchChild> members,
      @Nullable Uplink above,
      SwitchTraffic traffic) {
    Arena arena = Arena.ofShared(); // threads of the network plugin may move the data
    try {
      MemorySegment memory = arena.allocate(layout.bytes(), 4096);
      Net net = site.carrier().net();
      BitSet all = new BitSet();
      SwitchPort[] ports = new SwitchPort[members.size()];
      for (int i = 0; i < ports.length; i++) {
        SwitchChild member = members.get(i);
        all.or(member.ranks);
        CommPair pair = Objects.requireNonNull(member.pair, "data connections of a child");
        ports[i] =
            new SwitchPort(
                i,
                new Segments(member.rankArray(), layout.segmentBytes()),
                net,
                pair.recv(),
                pair.send(),
                layout.slots(memory, i),
                layout.window(),
                memory,
                layout.ring(),
                traffic);
      }
      Trunk trunk =
          above == null
              ? null
              : new Trunk(
                  net,
                  above.pair.send(),
                  above.pair.recv(),
                  memory,
                  layout.segmentBytes(),
                  traffic);
      Segments own = new Segments(all.stream().toArray(), layout.segmentBytes());
      return new DataPlane(
          new SwitchFlow(
              site.kernels(), nranks, memory, ports, layout.results(), own, trunk, traffic),
          arena);
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  /** Frees the memory; the comms are closed by then. */
  void free() {
    arena.close();
  }
}
