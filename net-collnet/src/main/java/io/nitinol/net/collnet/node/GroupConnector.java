// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.thread.OnlyThread;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the data connections of a group that is complete, and then its memory. */
@OnlyThread("switch worker")
final class GroupConnector {
  /** How long all of it may take. */
  static final long LIMIT_NANOS = 20_000_000_000L;

  private final SwitchResources site;
  private final int nranks;
  private final GroupLayout layout;
  private final List<SwitchChild> members;
  private final @Nullable Uplink above;
  private final SwitchTraffic traffic;
  private final long begunNanos = System.nanoTime();
  private @Nullable DataPlane plant;
  private boolean toldReady;

  GroupConnector(
      SwitchResources site,
      int nranks,
      GroupLayout layout,
      List<SwitchChild> members,
      @Nullable Uplink above,
      SwitchTraffic traffic) {
    this.site = site;
    this.nranks = nranks;
    this.layout = layout;
    this.members = members;
    this.above = above;
    this.traffic = traffic;
  }

  /**
   * Tells all children where to send.
   *
   * @throws NetException when the network plugin cannot listen
   */
  void admit() {
    for (SwitchChild member : members) {
      CommPair pair = new CommPair(site.carrier(), site.carrier().deviceAt(member.link.local(), 0));
      member.pair = pair;
      pair.connectTo(member.join.handle());
      member.say(new ControlFrame.Admit(layout.segmentBytes(), layout.window(), pair.handle()));
    }
  }

  /**
   * Moves on; never waits.
   *
   * @return the data plane, once all connections of the whole tree are there
   * @throws PeerException when a child or the parent cannot be connected
   */
  @Nullable DataPlane poll() {
    int at = PeerException.PARENT;
    try {
      boolean all = true;
      for (int i = 0; i < members.size(); i++) {
        at = i;
        all &= isConnected(members.get(i));
      }
      at = PeerException.PARENT;
      all &= above == null || above.pair.poll();
      if (all && plant == null) {
        plant = DataPlane.build(site, nranks, layout, members, above, traffic);
      }
    } catch (NetException e) {
      throw PeerException.lost(at, e.result(), e);
    }
    boolean ready = plant != null;
    for (SwitchChild member : members) {
      ready &= member.ready;
    }
    if (ready && above != null && !toldReady) {
      toldReady = true;
      above.say(new ControlFrame.Ready());
    }
    return ready && (above == null || above.ready) ? plant : null;
  }

  private static boolean isConnected(SwitchChild member) {
    return member.pair != null && member.pair.poll();
  }

  /**
   * Returns the ranks of the children that have not connected in time.
   *
   * @return no ranks: it is the parent; null: there is still time
   */
  @Nullable BitSet late(long now) {
    if (now - begunNanos < LIMIT_NANOS) {
      return null;
    }
    BitSet late = new BitSet();
    for (SwitchChild member : members) {
      if (!member.ready) {
        late.or(member.ranks);
      }
    }
    return late;
  }

  /** Frees the memory of connections that nothing came of; they are closed by then. */
  void free() {
    if (plant != null) {
      plant.free();
    }
  }

  /**
   * Closes the comms of a child or the parent.
   *
   * @param pair the comms; null: there are none yet
   * @return whether nothing touches their memory any more
   */
  static boolean close(SwitchResources site, @Nullable CommPair pair) {
    try {
      if (pair != null) {
        pair.close();
      }
      return true;
    } catch (RuntimeException | Error e) { // a defect too: what else belongs to the group goes on
      site.logger().warn("GroupConnector", site.text("comms do not close: " + e));
      return false;
    }
  }
}
