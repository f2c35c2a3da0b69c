// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.net.collnet.link.CommPair;
import io.nitinol.net.collnet.link.SwitchKey;
import io.nitinol.net.collnet.link.SwitchLink;
import io.nitinol.net.collnet.link.SwitchLoop;
import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.ControlFrame.Admit;
import io.nitinol.net.collnet.wire.ControlFrame.Join;
import io.nitinol.net.collnet.wire.GroupId;
import io.nitinol.net.collnet.wire.MemberHandle;
import io.nitinol.net.collnet.wire.Segments;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.ErrorText;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The join of one member to its group: it knows all handles and waits for its switch. */
final class SwitchGroupJoin {
  private static final long PARK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final SwitchListenComm listening;
  private final MemberHandle[] members;
  private final int rank;
  private final int seconds;
  private final DebugLogger logger;
  private final boolean embedded;
  private final InetSocketAddress address;
  private final GroupId group;

  SwitchGroupJoin(
      SwitchListenComm listening,
      MemberHandle[] members,
      int rank,
      int seconds,
      DebugLogger logger) {
    this.listening = listening;
    this.members = members;
    this.rank = rank;
    this.seconds = seconds;
    this.logger = logger;
    embedded = members[0].isEmbedded();
    address = (embedded ? members[0] : members[rank]).address();
    group = members[0].group();
  }

  /**
   * Joins, and waits until all members have.
   *
   * @return the member
   * @throws NetException with the reason if the group cannot be joined in time
   */
  SwitchMember join(SwitchKey secret, LoopHolder loops) {
    checkAllAlike();
    SwitchKey key = embedded ? SwitchKey.of(members[0].key().bytes()) : secret;
    GroupLink link = new GroupLink(describe());
    EmbeddedSwitch.Use own = listening.embedded();
    EmbeddedSwitch.Use use = embedded && rank == 0 && own != null ? own.again() : null;
    SwitchLoop loop = loops.acquire(logger);
    CommPair pair = null;
    SwitchLink control = null;
    SwitchMember member = null;
    try {
      Carrier carrier = listening.carrier();
      pair = new CommPair(carrier, listening.carried());
      control = loop.connect(address, key, link, Duration.ofSeconds(seconds));
      control.send(request(carrier, pair));
      Admit admit = await(link, control, pair);
      member =
          new SwitchMember(
              listening.plugin(),
              rank,
              members.length,
              pair,
              control,
              link,
              admit,
              () -> {
                loops.release();
                if (use != null) {
                  use.releaseAfter(group);
                }
              });
      return member;
    } finally {
      if (member == null) {
        giveUp(pair, control);
        loops.release();
        if (use != null) {
          use.release();
        }
      }
    }
  }

  private static void giveUp(@Nullable CommPair pair, @Nullable SwitchLink control) {
    if (control != null) {
      control.send(new ControlFrame.Leave());
      control.close();
    }
    if (pair != null) {
      pair.close();
    }
  }

  /** Checks that either all members name a switch or none does. */
  private void checkAllAlike() {
    for (int i = 1; i < members.length; i++) {
      if (members[i].isEmbedded() != embedded) {
        throw new NetException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "rank %s has %s and rank %s does not: all ranks of a group need one, or none",
                embedded ? i : 0, CollNetVariables.SWITCH, embedded ? 0 : i));
      }
    }
  }

  private Join request(Carrier carrier, CommPair pair) {
    int same = 0;
    for (MemberHandle each : members) {
      if (embedded || each.address().equals(address)) {
        same++;
      }
    }
    return new Join(
        group,
        members.length,
        List.of(rank),
        same,
        Segments.MOST_BYTES,
        listening.device(),
        carrier.net().name(),
        pair.handle());
  }

  /** Waits until the tree is connected. */
  private Admit await(GroupLink link, SwitchLink control, CommPair pair) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    Admit admit = null;
    boolean connected = false;
    while (admit == null || !connected || !link.isReady()) {
      NetException failure = link.failure();
      if (failure != null) {
        throw new NetException(failure.result(), failure.getMessage() + trees(), failure);
      }
      if (admit == null) {
        admit = link.admitted();
        if (admit != null) {
          pair.connectTo(admit.handle());
        }
      } else if (!connected) {
        connected = connect(control, pair);
      }
      if (System.nanoTime() - end > 0) {
        throw new NetException(
            ResultCode.TIMEOUT,
            ErrorText.of(
                "%s waited %d s (%s) for %s%s",
                describe(),
                seconds,
                CollNetVariables.TIMEOUT,
                admit == null ? "the other ranks" : "the data connections",
                trees()));
      }
      LockSupport.parkNanos(PARK_NANOS);
    }
    return admit;
  }

  /** Drives the data connections; a failure there fails the group. */
  private boolean connect(SwitchLink control, CommPair pair) {
    try {
      if (!pair.poll()) {
        return false;
      }
      control.send(new ControlFrame.Ready());
      return true;
    } catch (NetException e) {
      String text = "rank " + rank + " cannot connect its data: " + e.getMessage();
      control.send(new ControlFrame.Fail(e.result(), rank, ControlFrame.UNKNOWN, text));
      throw new NetException(
          e.result() == ResultCode.INVALID_ARGUMENT ? ResultCode.REMOTE_ERROR : e.result(),
          describe() + ": no data connections: " + e.getMessage(),
          e);
    }
  }

  private String describe() {
    return ErrorText.of(
        "rank %d of %d at the switch %s%s",
        rank,
        members.length,
        Addresses.text(address),
        embedded ? " in the process of rank 0" : " of " + CollNetVariables.SWITCH);
  }

  /** Lists the switches and their ranks, if the ranks have different ones. */
  private String trees() {
    if (embedded) {
      return "";
    }
    Map<InetSocketAddress, StringJoiner> ranks = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i++) {
      ranks.computeIfAbsent(members[i].address(), a -> new StringJoiner(", ")).add("" + i);
    }
    if (ranks.size() == 1) {
      return "";
    }
    StringJoiner text = new StringJoiner("; ", "; the ranks' switches are ", "");
    ranks.forEach((at, those) -> text.add(Addresses.text(at) + " of " + those));
    return text.toString();
  }
}
