// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.progress.Channel;
import io.nitinol.core.progress.Failures;
import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.Ring;
import io.nitinol.core.schedule.RingAllReduce;
import io.nitinol.core.transport.NetTransport;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Slots;
import io.nitinol.core.transport.Transport.PendingReceive;
import io.nitinol.core.transport.Transport.PendingSend;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v6.Net;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Connects a rank with its two neighbours in the ring, on all channels at once. */
final class RingConnect {
  /** The bootstrap tag of handles: any number that nothing else uses while a ring is connected. */
  private static final int HANDLES = 0x52494e47;

  private static final long POLL_NANOS = 100_000;

  private final Bootstrap bootstrap;
  private final Failures failures;
  private final NetTransport transport;
  private final Ring ring;
  private final int channels;
  private final Slots[] slots;
  private final PendingReceive[] listening;
  private final PendingSend[] dialling;
  private final @Nullable ReceiveConnector[] receives;
  private final @Nullable SendConnector[] sends;

  private RingConnect(
      Bootstrap bootstrap,
      Failures failures,
      NetTransport transport,
      Ring ring,
      int channels,
      int slotBytes,
      Arena arena) {
    this.bootstrap = bootstrap;
    this.failures = failures;
    this.transport = transport;
    this.ring = ring;
    this.channels = channels;
    this.slots = new Slots[channels];
    Arrays.setAll(slots, c -> new Slots(arena, slotBytes));
    this.listening = new PendingReceive[channels];
    this.dialling = new PendingSend[channels];
    this.receives = new @Nullable ReceiveConnector[channels];
    this.sends = new @Nullable SendConnector[channels];
  }

  /**
   * Connects.
   *
   * @param ring this rank's place; nothing is connected where it is alone
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
      int seconds) {
    List<Channel> result = new ArrayList<>();
    if (ring.size() == 1) {
      for (int c = 0; c < channels; c++) {
        result.add(new Channel(new RingAllReduce(ring, shape, c, channels), null, null));
      }
      return result;
    }
    RingConnect connect =
        new RingConnect(
            bootstrap, failures, transport, ring, channels, shape.slotBytes(), memory.arena());
    boolean done = false;
    try {
      connect.exchangeHandles();
      connect.poll(seconds);
      done = true;
    } finally {
      connect.closeListeners();
      if (!done) {
        connect.closeConnections();
      }
    }
    for (int c = 0; c < channels; c++) {
      result.add(
          new Channel(
              new RingAllReduce(ring, shape, c, channels), connect.receives[c], connect.sends[c]));
    }
    return result;
  }

  private void exchangeHandles() {
    byte[] mine = new byte[channels * Net.HANDLE_MAXSIZE];
    for (int c = 0; c < channels; c++) {
      listening[c] = transport.receive(c, ring.previous(), slots[c]);
      byte[] handle = listening[c].handle();
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
      dialling[c] = transport.send(c, ring.next(), slots[c], handle);
    }
  }

  private void poll(int seconds) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (true) {
      int missing = 0;
      boolean moved = false;
      for (int c = 0; c < channels; c++) {
        if (sends[c] == null) {
          sends[c] = dial(c);
          moved |= sends[c] != null;
          missing += sends[c] == null ? 1 : 0;
        }
        if (receives[c] == null) {
          receives[c] = accept(c);
          moved |= receives[c] != null;
          missing += receives[c] == null ? 1 : 0;
        }
      }
      if (missing == 0) {
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

  private @Nullable SendConnector dial(int channel) {
    try {
      return dialling[channel].poll();
    } catch (NetException e) {
      throw broken("connect to", ring.next(), channel, e);
    }
  }

  private @Nullable ReceiveConnector accept(int channel) {
    try {
      return listening[channel].poll();
    } catch (NetException e) {
      throw broken("accept", ring.previous(), channel, e);
    }
  }

  private CommException broken(String what, int peer, int channel, NetException e) {
    return new CommException(
        e.result(),
        peer,
        "rank "
            + bootstrap.rank()
            + " could not "
            + what
            + " rank "
            + peer
            + " over "
            + transport.describe(channel)
            + ": "
            + e.getMessage(),
        e);
  }

  private CommException late(int seconds) {
    for (int c = 0; c < channels; c++) {
      boolean sending = sends[c] == null;
      if (sending || receives[c] == null) {
        int peer = sending ? ring.next() : ring.previous();
        return new CommException(
            ResultCode.TIMEOUT,
            peer,
            "rank "
                + bootstrap.rank()
                + (sending ? " could not connect to rank " : " was not connected to by rank ")
                + peer
                + " over "
                + transport.describe(c)
                + " within "
                + seconds
                + " s; is that device reachable from both (NCCL_SOCKET_IFNAME, NCCL_IB_HCA)?"
                + " NITINOL_BOOTSTRAP_TIMEOUT sets the limit",
            null);
      }
    }
    throw new AssertionError("late, but everything is connected");
  }

  private void closeListeners() {
    for (PendingReceive listener : listening) {
      if (listener != null) {
        listener.close();
      }
    }
  }

  private void closeConnections() {
    for (int c = 0; c < channels; c++) {
      new Channel(
              new RingAllReduce(ring, new ChunkShape(64, 1, 1, 1, 1), 0, 1), receives[c], sends[c])
          .close(new ArrayList<>());
    }
  }
}
