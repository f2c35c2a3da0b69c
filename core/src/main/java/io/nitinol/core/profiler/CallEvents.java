// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.profiler.EventState;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;

/**
 * The events of what one thread calls on one communicator: in one group, or by a single call
 * outside any. Belongs to that thread.
 */
public final class CallEvents {
  private final ProfilerSession session;
  private final int mask;
  private long groupApi;
  private long group;
  private boolean grouped;

  /** The call that what is being submitted comes from. */
  private long call;

  /** Whether the thread is known to submit these. */
  private boolean submits;

  /** Creates the events of a call; where {@code mask} is 0 there are none, and nothing changes. */
  CallEvents(ProfilerSession session, int mask) {
    this.session = session;
    this.mask = mask;
  }

  /** Begins with a call; without, there are operations only. */
  void begin(int depth) {
    if ((mask & Wanted.GROUP_API) != 0) {
      Descriptors.GroupApi descriptor = Descriptors.own().groupApi;
      descriptor.at(session.rank(), 0);
      descriptor.depth = depth;
      groupApi = session.start(descriptor);
      session.record(groupApi, EventState.GROUP_START_API_STOP, 0);
    }
  }

  /** Returns which events are wanted of what is called here. */
  public int mask() {
    return mask;
  }

  /** Begins the call of a collective; {@link #returns} has to follow. */
  public long collective(Collective function, long count, DataType type, int root) {
    if ((mask & Wanted.COLL_API) == 0) {
      return 0;
    }
    Descriptors.CollApi descriptor = Descriptors.own().collApi;
    descriptor.at(session.rank(), groupApi);
    descriptor.of(function, count, type);
    descriptor.root = root;
    call = session.start(descriptor);
    return call;
  }

  /** Begins the call of a send or a receive; {@link #returns} has to follow. */
  public long message(Collective function, long count, DataType type) {
    if ((mask & Wanted.P2P_API) == 0) {
      return 0;
    }
    Descriptors.P2pApi descriptor = Descriptors.own().p2pApi;
    descriptor.at(session.rank(), groupApi);
    descriptor.of(function, count, type);
    call = session.start(descriptor);
    return call;
  }

  /** Ends a call. */
  public void returns(long event) {
    session.stop(event);
  }

  /** Reports that what was called is submitted now. */
  public void submitting() {
    submits = true;
    session.submitting(this);
  }

  /** Reports that the end of the group has begun, which submits what was called. */
  public void groupEnds() {
    session.record(groupApi, EventState.GROUP_END_API_START, 0);
    submitting();
  }

  /** Says which call what comes next is submitted for. */
  public void of(long event) {
    call = event;
  }

  /** Starts a collective; the owner stops it. */
  public long coll(
      Collective function,
      long sendAddress,
      long recvAddress,
      long count,
      DataType type,
      int root,
      Algorithm algorithm,
      Protocol protocol,
      int channels) {
    long sequence = session.nextSequence(function);
    if ((mask & Wanted.COLL) == 0) {
      return 0;
    }
    startGroup();
    Descriptors.Coll descriptor = Descriptors.own().coll;
    descriptor.at(session.rank(), call);
    descriptor.of(function, count, type);
    descriptor.sequence = sequence;
    descriptor.sendAddress = sendAddress;
    descriptor.recvAddress = recvAddress;
    descriptor.root = root;
    descriptor.algorithm = algorithm;
    descriptor.protocol = protocol;
    descriptor.channels = channels;
    descriptor.parentGroup = group;
    return session.start(descriptor);
  }

  /** Starts a send or a receive, which {@code from} has called for; the owner stops it. */
  public long p2p(
      Collective function, long from, int peer, long address, long count, DataType type) {
    if ((mask & Wanted.P2P) == 0) {
      return 0;
    }
    startGroup();
    Descriptors.P2p descriptor = Descriptors.own().p2p;
    descriptor.at(session.rank(), from == 0 ? call : from);
    descriptor.of(function, count, type);
    descriptor.peer = peer;
    descriptor.address = address;
    descriptor.parentGroup = group;
    return session.start(descriptor);
  }

  private void startGroup() {
    if (!grouped && (mask & Wanted.GROUP) != 0) {
      grouped = true;
      Descriptors.Plain descriptor = Descriptors.own().group;
      descriptor.at(session.rank(), 0);
      group = session.start(descriptor);
    }
  }

  /** Ends: everything is submitted, or will not be. */
  public void end() {
    if (submits) {
      submits = false;
      session.submitting(null);
    }
    if (mask != 0) { // else several threads may have this at once
      session.stop(group);
      session.stop(groupApi);
      group = 0;
      groupApi = 0;
    }
  }
}
