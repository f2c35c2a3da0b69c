// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.samples.libfabric.fabric.Endpoint;
import io.nitinol.samples.libfabric.fabric.FabricFailure;
import io.nitinol.samples.libfabric.link.OfiLifeline;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection. Both sides count the receives. The receiver tells the sender the room
 * and the tag of each piece of a receive, up to {@link #PIECES}, by a message of its own, the
 * announcement. A message of more than {@link OfiShorts#LONGEST} bytes waits for that. The sender
 * chooses its piece: the first vacant one with its tag in the oldest receive that is not full. The
 * message then carries the number of the piece as its tag in the fabric. So it meets that piece in
 * whatever order the fabric delivers, none comes unexpected, and one that is too long is found by
 * its sender. An announcement may come unexpected, where a sender starts many messages and tests
 * none.
 *
 * <p>A shorter message is sent at once into one of {@link OfiShorts#PLACES} places, and the
 * receiver copies it into its piece; see {@link OfiShorts}. An announcement says how many may be
 * sent. So it is sent now and then where receives are short, and at once for one that has room for
 * a long message. A short message for a piece that the sender knows to be of this kind goes into it
 * as a long one does: the provider already waits there.
 *
 * <p>Slot k mod {@link #SLOTS} of both ends belongs to receive k. Operation s {@link #PIECES} + i
 * of the endpoint is piece i of the receive in slot s, operation {@link #ANNOUNCE} + a announcement
 * a mod {@link OfiAnnouncements#RING}, and operation {@link #SHORT} + p place p.
 */
@OneThread
abstract class OfiCommEnd implements Endpoint.Completions {
  /** How many receives can be under way; MAX_REQUESTS of the interface. */
  static final int SLOTS = 32;

  /** How many pieces a receive has at most; {@code maxRecvs} of the device. */
  static final int PIECES = 8;

  /** The operation of the first announcement. */
  static final int ANNOUNCE = SLOTS * PIECES;

  /** The operation of the first place of a short message. */
  static final int SHORT = ANNOUNCE + OfiAnnouncements.RING;

  /** Operations from here on are not the comm's. */
  static final int OPERATIONS = SHORT + OfiShorts.PLACES;

  private static final int MOST_REQUESTS = 1024;
  private static final int MOST_POLLS = 64;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** How long an error of the fabric waits for the peer's own word on its end. */
  private static final long VERDICT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** How long what a peer has sent before it closed may be on its way through the provider. */
  private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** The same of a peer that ended without a word: nobody knows whether it had sent anything. */
  private static final long DEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  final Endpoint endpoint;
  final OfiLifeline lifeline;
  final OfiCommMemory memory;
  final String label;
  final OfiTags tags;
  final OfiAnnouncements announcements;
  final OfiShorts shorts;

  /** What the provider has not ended, by slot where this end receives, else by operation. */
  final @Nullable OfiRequest[] underWay;

  private final OfiDevice device;
  private final Arena arena = Arena.ofShared();
  private final @Nullable OfiMemory announcing;
  private final @Nullable OfiMemory shortening;
  private final List<OfiRequest> free = new ArrayList<>();
  private int requests;
  private @Nullable NetException failure;
  private @Nullable String fabricError;
  private int fabricErrno;
  private long fabricErrorAt;
  private long goneAt;
  private long lookedAt;
  private boolean closed;

  OfiCommEnd(
      OfiDevice device,
      Endpoint endpoint,
      OfiLifeline lifeline,
      String label,
      OfiTags tags,
      int mostUnderWay) {
    this.device = device;
    this.endpoint = endpoint;
    this.lifeline = lifeline;
    this.label = label;
    this.tags = tags;
    this.memory = new OfiCommMemory(device.cache());
    this.underWay = new OfiRequest[mostUnderWay];
    this.announcements = new OfiAnnouncements(arena);
    this.shorts = new OfiShorts(arena);
    this.announcing = registered(announcements.memory());
    this.shortening = registered(shorts.memory());
  }

  private @Nullable OfiMemory registered(MemorySegment own) {
    return device.cache() == null ? null : memory.register(Memory.ofHost(own));
  }

  /** Returns the device that the comm is on. */
  final OfiDevice device() {
    return device;
  }

  /** Returns the comm's registered memory. */
  final OfiCommMemory memory() {
    if (closed) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, label + ": the comm is closed");
    }
    return memory;
  }

  static int slot(long number) {
    return (int) (number % SLOTS);
  }

  static int operation(int slot, int piece) {
    return slot * PIECES + piece;
  }

  final long announcementDescriptor() {
    return announcing == null ? 0 : announcing.descriptor();
  }

  final long shortDescriptor() {
    return shortening == null ? 0 : shortening.descriptor();
  }

  /** Returns whether the peer has closed or ended, as far as this end knows. */
  final boolean isPeerGone() {
    return goneAt != 0;
  }

  /**
   * Posts again what the provider had no room for, and says what the peer is to know.
   *
   * @param idle whether nothing ended just now, so that nobody waits for this call
   * @param now the time
   */
  abstract void post(boolean idle, long now);

  /** Takes notice of what the peer said when it closed. */
  abstract void settle();

  /** Returns whether messages wait for receives to come, and no receive waits for a message. */
  abstract boolean hasOnlyMessages();

  /** Returns whether a request that has ended may be reported. */
  abstract boolean mayReport();

  /** Tells the peer what it has not got yet, before this end closes. */
  abstract void handOver();

  /** Returns how many receives, from the first on, are full and have completed here. */
  abstract long completedReceives();

  /** Returns whether receives before this one are still to be filled, though the peer is gone. */
  abstract boolean awaits(long number);

  /** Returns why a message cannot go on, which is then the failure of the comm; or null. */
  abstract @Nullable NetException objection(OfiRequest request);

  /** Returns the first receive that has an operation under way here, or one that begins later. */
  final long firstUnderWay(long next) {
    long first = next;
    for (OfiRequest request : underWay) {
      if (request != null) {
        first = Math.min(first, request.receive);
      }
    }
    return first;
  }

  /** Returns an unused request, or null where too many are untested. */
  final @Nullable OfiRequest request() {
    if (!free.isEmpty()) {
      return free.removeLast();
    }
    if (requests == MOST_REQUESTS) {
      return null;
    }
    requests++;
    return new OfiRequest(this);
  }

  final void giveBack(OfiRequest request) {
    request.end();
    free.add(request);
  }

  /** Throws what the comm failed with. */
  final void checkOpen() {
    if (closed) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, label + ": the comm is closed");
    }
    NetException known = failure;
    if (known != null) {
      throw new NetException(known.result(), String.valueOf(known.getMessage()), known);
    }
  }

  /** Tests a request; see {@code Net.test}. */
  final boolean test(OfiRequest request, int @Nullable [] sizes) {
    if (closed || !request.live) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, label + ": the request is dead");
    }
    if (sizes != null && sizes.length < request.pieces) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "%s: the array of sizes has %d elements for %d pieces",
              label, sizes.length, request.pieces));
    }
    if (!request.isDone() || !mayReport()) {
      progress();
    }
    if (request.isDone() && (mayReport() || failure != null)) {
      for (int i = 0; sizes != null && i < request.pieces; i++) {
        sizes[i] = (int) request.bytes[i];
      }
      giveBack(request);
      return true;
    }
    NetException objection = failure == null ? objection(request) : null;
    if (objection != null) {
      fail(objection);
    }
    if (failure != null) {
      request.end();
      checkOpen();
    }
    return false;
  }

  /** Lets the provider go on, and looks after the peer now and then. */
  final void progress() {
    if (failure != null) {
      return;
    }
    try {
      int ended = poll(Endpoint.ENTRIES);
      long now = System.nanoTime();
      post(ended == 0, now);
      if (fabricError != null || goneAt != 0 || (ended == 0 && now - lookedAt > LOOK_NANOS)) {
        lookedAt = now;
        look(now);
      }
    } catch (NetException e) {
      fail(e);
    }
  }

  /**
   * Polls until fewer than {@code least} operations have ended at once. Each poll may enter the
   * kernel, so the usual way does not ask again where it got less than it could have.
   */
  final int poll(int least) {
    int all = 0;
    for (int i = 0; i < MOST_POLLS; i++) {
      int ended = endpoint.poll(this);
      all += ended;
      if (ended < least) {
        break;
      }
    }
    return all;
  }

  private void look(long now) {
    String end = lifeline.look();
    if (end != null) {
      // Where sends complete once they are delivered, all is in the queue by now. Otherwise the
      // word of a peer that has closed says how many receives it has filled. These are waited for.
      poll(1);
      settle();
      if (goneAt == 0) {
        goneAt = now;
      }
      boolean said = lifeline.hasClosed();
      boolean waits = awaits(said ? lifeline.completed() : Long.MAX_VALUE);
      if (hasOnlyMessages()) {
        return; // they were sent before the peer closed
      }
      if (!waits || now - goneAt > (said ? DRAIN_NANOS : DEAD_NANOS)) {
        fail(
            new NetException(
                lifeline.result(),
                label
                    + ": the peer is gone: "
                    + end
                    + (waits && said ? "; " + lost() : "")
                    + (fabricError == null ? "" : "; " + fabricError)));
      }
    } else if (fabricError != null && now - fabricErrorAt > VERDICT_NANOS) {
      fail(new NetException(FabricFailure.result(fabricErrno), label + ": " + fabricError));
    }
  }

  private String lost() {
    return ErrorText.of(
        "it had filled %d receives, of which not all have come within %d s",
        lifeline.completed(), TimeUnit.NANOSECONDS.toSeconds(DRAIN_NANOS));
  }

  @Override
  public final void failed(int operation, int error, String text) {
    if (FabricFailure.isTruncation(error)) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of("%s: a receive is too small for its message: %s", label, text));
    }
    if (fabricError == null) {
      fabricError = text;
      fabricErrno = error;
      fabricErrorAt = System.nanoTime();
    }
  }

  /** Checks what a post returned; returns whether the provider had room. */
  final boolean posted(long code, String call) {
    if (code == 0) {
      return true;
    }
    if (code != Endpoint.NO_ROOM) {
      failed(
          -1,
          (int) -code,
          ErrorText.of(
              "%s: %s failed: %s (error %d)",
              endpoint.domain().info().label(), call, FabricFailure.text((int) -code), -code));
    }
    return false;
  }

  /** Makes the comm fail, once. */
  final void fail(NetException why) {
    failure = why;
    lifeline.sayFailure(why.result(), String.valueOf(why.getMessage()));
  }

  /** Closes it; see {@code Net.closeSend}. */
  final void close() {
    if (closed) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, label + ": the comm is closed already");
    }
    if (failure == null) {
      try {
        handOver();
        lifeline.sayClosed(completedReceives());
      } catch (NetException e) {
        fail(e); // the peer has sent something wrong
      }
    }
    closed = true;
    NetException problem = endpoint.close();
    NetException second = memory.close();
    problem = problem == null ? second : problem;
    try {
      lifeline.close();
    } catch (IOException e) {
      problem =
          problem == null
              ? new NetException(ResultCode.SYSTEM_ERROR, label + ": " + e, e)
              : problem;
    }
    if (problem != null) {
      throw problem;
    }
    arena.close();
  }
}
