// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.progress.Channel;
import io.nitinol.core.progress.Failures;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.ring.Ring;
import io.nitinol.core.schedule.ring.RingAllReduce;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.RegistrationException;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Transport.PendingReceive;
import io.nitinol.core.transport.Transport.PendingSend;
import io.nitinol.core.transport.net.NetTransport;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v6.Net;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Connects a rank with its two neighbours in the ring, on all channels at once. */
final class RingConnect {
  /** The bootstrap tag of handles: any number that nothing else uses while a ring is connected. */
  private static final int HANDLES = 0x52494e47;

  private static final long POLL_NANOS = 100_000;

  /** How long threads that may wait in the plugin get to come back after a failure. */
  private static final long LEAVE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Bootstrap bootstrap;
  private final Failures failures;
  private final NetTransport transport;
  private final Ring ring;
  private final int channels;
  private final CommMemory memory;
  private final DebugLogger logger;
  private final int slotBytes;
  private final String[] places;
  private final List<ConnectingEnd<ReceiveConnector>> receives = new ArrayList<>();
  private final List<ConnectingEnd<SendConnector>> sends = new ArrayList<>();

  /** By channel, what {@code accept} said last about one that tried to connect. */
  private final AtomicReferenceArray<@Nullable NetException> refused;

  private RingConnect(
      Bootstrap bootstrap,
      Failures failures,
      NetTransport transport,
      Ring ring,
      int channels,
      int slotBytes,
      CommMemory memory,
      DebugLogger logger) {
    this.bootstrap = bootstrap;
    this.failures = failures;
    this.transport = transport;
    this.ring = ring;
    this.channels = channels;
    this.memory = memory;
    this.logger = logger;
    this.slotBytes = slotBytes;
    this.places = new String[channels];
    Arrays.setAll(places, transport::describe);
    this.refused = new AtomicReferenceArray<>(channels);
  }

  /**
   * Connects.
   *
   * @param ring this rank's place; nothing is connected where it is alone
   * @param memory gives the buffers, and is told what must not lose them
   * @param seconds how long it may take
   * @throws CommException when it takes longer or fails; what was connected is closed again
   */
  static List<Channel> connect(
      Bootstrap bootstrap,
      Failures failures,
      NetTransport transport,
      Ring ring,
      ChunkShape shape,
      int channels,
      CommMemory memory,
      DebugLogger logger,
      int seconds) {
    List<Channel> result = new ArrayList<>();
    if (ring.size() == 1) {
      for (int c = 0; c < channels; c++) {
        result.add(new Channel(new RingAllReduce(ring, shape, c), null, null));
      }
      return result;
    }
    RingConnect connect =
        new RingConnect(
            bootstrap, failures, transport, ring, channels, shape.slotBytes(), memory, logger);
    try {
      connect.exchangeHandles();
      connect.poll(seconds);
    } catch (Throwable e) {
      connect.giveUp(e);
      throw e;
    }
    connect.receives.forEach(ConnectingEnd::finish);
    for (int c = 0; c < channels; c++) {
      result.add(
          new Channel(
              new RingAllReduce(ring, shape, c),
              connect.receives.get(c).connected(),
              connect.sends.get(c).connected()));
    }
    return result;
  }

  private void exchangeHandles() {
    byte[] mine = new byte[channels * Net.HANDLE_MAXSIZE];
    for (int c = 0; c < channels; c++) {
      PendingReceive pending = transport.receive(c, ring.previous(), slotBytes);
      receives.add(receivingEnd(c, pending));
      byte[] handle = pending.handle();
      System.arraycopy(handle, 0, mine, c * Net.HANDLE_MAXSIZE, handle.length);
    }
    bootstrap.send(ring.previous(), HANDLES, mine);
    byte[] theirs = bootstrap.recv(ring.next(), HANDLES);
    if (theirs.length != mine.length) {
      throw new CommException(
          ResultCode.INTERNAL_ERROR,
          ring.next(),
          "rank "
              + ring.next()
              + " sent "
              + theirs.length
              + " bytes of handles, expected "
              + mine.length,
          null);
    }
    for (int c = 0; c < channels; c++) {
      int from = c * Net.HANDLE_MAXSIZE;
      byte[] handle = Arrays.copyOfRange(theirs, from, from + Net.HANDLE_MAXSIZE);
      sends.add(sendingEnd(c, transport.send(c, ring.next(), slotBytes, handle)));
    }
  }

  private ConnectingEnd<ReceiveConnector> receivingEnd(int channel, PendingReceive pending) {
    return new ConnectingEnd<>(
        thread("accept", channel),
        () -> accept(channel, pending),
        ReceiveConnector::close,
        pending::close,
        memory,
        logger);
  }

  private ConnectingEnd<SendConnector> sendingEnd(int channel, PendingSend pending) {
    return new ConnectingEnd<>(
        thread("connect", channel),
        () -> dial(channel, pending),
        SendConnector::close,
        pending::close,
        memory,
        logger);
  }

  private @Nullable String thread(String call, int channel) {
    return transport.mayWait() ? "nitinol-" + bootstrap.rank() + "-" + call + "-" + channel : null;
  }

  private void poll(int seconds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    // All connects before the first accept: an old plugin's accept may wait for them.
    List<ConnectingEnd<?>> ends = new ArrayList<>(sends);
    ends.addAll(receives);
    ends.forEach(ConnectingEnd::start);
    while (true) {
      boolean missing = false;
      boolean moved = false;
      for (ConnectingEnd<?> end : ends) {
        moved |= end.poll();
        missing |= end.connected() == null;
      }
      if (!missing) {
        return;
      }
      failures.check();
      if (System.nanoTime() - deadline >= 0) {
        throw late(seconds);
      }
      if (!moved) {
        LockSupport.parkNanos(this, POLL_NANOS);
      }
    }
  }

  private @Nullable SendConnector dial(int channel, PendingSend pending) {
    try {
      return pending.poll();
    } catch (Throwable e) {
      throw broken("connect to", ring.next(), channel, e);
    }
  }

  private @Nullable ReceiveConnector accept(int channel, PendingReceive pending) {
    try {
      return pending.poll();
    } catch (NetException e) {
      if (e instanceof RegistrationException || e.result() == ResultCode.SYSTEM_ERROR) {
        throw broken("accept", ring.previous(), channel, e);
      }
      // It is about one that tried, and the next may be the one that is waited for.
      if (refused.getAndSet(channel, e) == null) {
        logger.warn(
            "RingConnect",
            "rank "
                + bootstrap.rank()
                + " refused a connection over "
                + places[channel]
                + " and waits for the next: "
                + e.getMessage());
      }
      return null;
    } catch (Throwable e) {
      throw broken("accept", ring.previous(), channel, e);
    }
  }

  /** Blames the peer for what only it can have caused, and this rank for all else. */
  private CommException broken(String what, int peer, int channel, Throwable e) {
    ResultCode result = e instanceof NetException own ? own.result() : ResultCode.INTERNAL_ERROR;
    boolean remote = result == ResultCode.REMOTE_ERROR || result == ResultCode.TIMEOUT;
    int blamed = remote && !(e instanceof RegistrationException) ? peer : bootstrap.rank();
    if (e instanceof RegistrationException registration && !registration.isClosed()) {
      memory.keep("closing a connection failed, whose buffers could not be registered");
    }
    return new CommException(
        result,
        blamed,
        "rank "
            + bootstrap.rank()
            + " could not "
            + what
            + " rank "
            + peer
            + " over "
            + places[channel]
            + ": "
            + (e instanceof NetException ? e.getMessage() : e),
        e);
  }

  private CommException late(int seconds) {
    for (int c = 0; c < channels; c++) {
      boolean sending = sends.get(c).connected() == null;
      if (sending || receives.get(c).connected() == null) {
        int peer = sending ? ring.next() : ring.previous();
        NetException last = sending ? null : refused.get(c);
        return new CommException(
            ResultCode.TIMEOUT,
            peer,
            "rank "
                + bootstrap.rank()
                + (sending ? " could not connect to rank " : " was not connected to by rank ")
                + peer
                + " over "
                + places[c]
                + " within "
                + seconds
                + " s; is that device reachable from both (NCCL_SOCKET_IFNAME, NCCL_IB_HCA)?"
                + " NITINOL_BOOTSTRAP_TIMEOUT sets the limit"
                + (last == null ? "" : "; the last that tried was refused: " + last.getMessage()),
            last);
      }
    }
    throw new AssertionError("late, but everything is connected");
  }

  /**
   * Closes everything that was begun, each whatever becomes of the others.
   *
   * @throws CommException in place of {@code cause} where threads do not come back from the plugin
   */
  private void giveUp(Throwable cause) {
    List<ConnectingEnd<?>> ends = new ArrayList<>(sends);
    ends.addAll(receives);
    ends.forEach(ConnectingEnd::abandon);
    long deadline = System.nanoTime() + LEAVE_NANOS;
    List<String> stuck = new ArrayList<>();
    for (ConnectingEnd<?> end : ends) {
      String thread = end.stuck(deadline);
      if (thread != null) {
        stuck.add(thread);
      }
    }
    if (!stuck.isEmpty()) {
      CommException known = cause instanceof CommException e ? e : null;
      throw new CommException(
          known == null ? ResultCode.INTERNAL_ERROR : known.result(),
          known == null ? bootstrap.rank() : known.failedRank(),
          (known == null ? String.valueOf(cause) : known.getMessage())
              + "; still inside network "
              + transport.name()
              + ", which lets connect and accept wait, and left behind: thread "
              + String.join(", ", stuck),
          cause);
    }
  }
}
