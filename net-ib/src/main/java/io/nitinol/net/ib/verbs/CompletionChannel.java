// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.CLibrary;
import io.nitinol.net.ib.ffi.ibv_comp_channel;
import io.nitinol.net.ib.ffi.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A channel on which completion queues announce completions, for threads that sleep. */
public final class CompletionChannel implements AutoCloseable {
  private final VerbsContext context;
  private final MemorySegment channel;
  private boolean closed;

  CompletionChannel(VerbsContext context, MemorySegment channel) {
    this.context = context;
    this.channel = ibv_comp_channel.reinterpret(channel);
  }

  /**
   * {@return the descriptor that can be read when there is an announcement; it stays this object's}
   */
  public int descriptor() {
    return ibv_comp_channel.fd(segment());
  }

  /**
   * Waits for an announcement, and acknowledges it.
   *
   * @param milliseconds how long to wait at most; 0 only looks
   * @return {@link CompletionQueue#address} of the queue that made it, or 0 when the time is over
   * @throws VerbsException where the device no longer tells
   */
  public long await(int milliseconds) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      int ready = CLibrary.awaitReadable(errno, descriptor(), milliseconds);
      if (ready == 0 || (ready < 0 && ErrnoSegment.of(errno) == Errno.EINTR)) {
        return 0;
      }
      VerbsContext.check("poll", " for completions of " + context, ready < 0 ? -1 : 0, errno);
      MemorySegment queue = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment cookie = arena.allocate(ValueLayout.ADDRESS);
      int code = verbs_h.ibv_get_cq_event(errno, segment(), queue, cookie);
      VerbsContext.check("ibv_get_cq_event", " on " + context, code, errno);
      MemorySegment source = queue.get(ValueLayout.ADDRESS, 0);
      verbs_h.ibv_ack_cq_events(errno, source, 1);
      return source.address();
    }
  }

  MemorySegment segment() {
    if (closed) {
      throw new IllegalStateException("the completion channel on " + context + " is closed");
    }
    return channel;
  }

  /** Frees the channel. The queues that use it must have been closed. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    context.free(
        "ibv_destroy_comp_channel", errno -> verbs_h.ibv_destroy_comp_channel(errno, channel));
  }
}
