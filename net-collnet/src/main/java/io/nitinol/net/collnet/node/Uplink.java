// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.net.collnet.link.SwitchLink;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.thread.OnlyThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A group's connection to the switch above, to which this one is a child that brings all its ranks.
 */
@OnlyThread("switch worker")
final class Uplink implements SwitchLink.Events {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  final CommPair pair;

  /** Whether the whole tree is connected. */
  boolean ready;

  /** Whether no frame can be sent to it any more. */
  boolean gone;

  private final SwitchResources site;
  private final Events events;
  private final Executor thread;
  private final SwitchLink link;
  private final BitSet told = new BitSet();

  /** What a group hears of its parent, on its own thread. */
  interface Events {
    /** The parent lets this switch in. */
    void admitted(Uplink by, ControlFrame.Admit admit);

    /**
     * The parent has ended the group, or is lost.
     *
     * @param operations how many operations it still answers; {@link ControlFrame#UNKNOWN}: those
     *     whose answers are here
     */
    void ended(Uplink by, EndReason why, long operations);
  }

  /**
   * Asks for a place.
   *
   * @param events called for each frame, on the thread of the group
   * @param thread runs tasks on that thread, in their order
   * @param ranks the ranks that have come so far
   * @throws NetException when this switch cannot listen for the parent's data
   */
  Uplink(
      SwitchResources site,
      Events events,
      Executor thread,
      GroupId id,
      int nranks,
      BitSet ranks,
      int segment) {
    this.site = site;
    this.events = events;
    this.thread = thread;
    InetSocketAddress to = site.options().parent();
    if (to == null) {
      throw new IllegalStateException("a root has no parent");
    }
    this.pair = new CommPair(site.carrier(), site.carrier().deviceAt(here(to), 0));
    this.link = site.loop().connect(to, site.key(), this, PATIENCE);
    told.or(ranks);
    link.send(
        new ControlFrame.Join(
            id, nranks, list(ranks), 0, segment, 0, site.carrier().net().name(), pair.handle()));
  }

  /** Returns the address of this machine from which the parent is reached. */
  private static @Nullable InetAddress here(InetSocketAddress parent) {
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.connect(parent); // of a datagram socket it sends nothing
      return ((InetSocketAddress) channel.getLocalAddress()).getAddress();
    } catch (IOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          "the parent switch " + parent + " cannot be reached: " + e.getMessage(),
          e);
    }
  }

  private static List<Integer> list(BitSet ranks) {
    return ranks.stream().boxed().toList();
  }

  /** Reports ranks that have come since. */
  void more(BitSet ranks) {
    BitSet added = (BitSet) ranks.clone();
    added.andNot(told);
    if (!added.isEmpty()) {
      told.or(added);
      say(new ControlFrame.More(list(added)));
    }
  }

  /** Sends a frame, unless the parent is gone. */
  void say(ControlFrame frame) {
    if (!gone) {
      link.send(frame);
    }
  }

  @Override
  public void frame(ControlFrame frame) {
    thread.execute(() -> hear(frame));
  }

  @Override
  public void closed(String why) {
    thread.execute(() -> {
      if (!gone) {
        hangUp();
        events.ended(this, lost(this + " is lost: " + why), ControlFrame.UNKNOWN);
      }
    });
  }

  private void hear(ControlFrame frame) {
    switch (frame) {
      case ControlFrame.Admit admit -> events.admitted(this, admit);
      case ControlFrame.Ready answer -> ready = true;
      case ControlFrame.Fail fail ->
          events.ended(
              this,
              new EndReason(fail.code(), fail.rank(), fail.text()),
              Math.max(0, fail.operations()));
      case ControlFrame.Refuse refuse ->
          events.ended(
              this,
              new EndReason(
                  refuse.code(),
                  ControlFrame.NOBODY,
                  site.text(this + " refuses the group: " + refuse.text())),
              0);
      default -> events.ended(this, lost(this + " sends " + frame), ControlFrame.UNKNOWN);
    }
  }

  private EndReason lost(String what) {
    return new EndReason(ResultCode.REMOTE_ERROR, ControlFrame.NOBODY, site.text(what));
  }

  /** Closes the control connection once all frames are sent. */
  void hangUp() {
    gone = true;
    link.close();
  }

  @Override
  public String toString() {
    return "the parent switch " + link.peer();
  }
}
