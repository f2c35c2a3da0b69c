// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.DataPath;
import io.nitinol.net.ib.ffi.ibv_cq;
import io.nitinol.net.ib.ffi.verbs_h;
import java.lang.foreign.MemorySegment;

/** A completion queue. Several threads may poll it, each into completions of its own. */
public final class CompletionQueue implements AutoCloseable {
  private final VerbsContext context;
  private final MemorySegment queue;
  private final long address;
  private final MemorySegment pollCq;
  private boolean closed;

  CompletionQueue(VerbsContext context, MemorySegment queue) {
    this.context = context;
    this.queue = ibv_cq.reinterpret(queue);
    this.address = queue.address();
    this.pollCq = context.pollCq();
  }

  /** {@return the device that it belongs to} */
  public VerbsContext context() {
    return context;
  }

  /** {@return what events name it by} */
  public long address() {
    return address;
  }

  /** {@return how many completions it holds, at least as many as were asked for} */
  public int entries() {
    return ibv_cq.cqe(segment());
  }

  /**
   * Takes completions out of the queue, at most as many as there is room for. Allocates nothing and
   * does not wait.
   *
   * @param into where they are put, from index 0
   * @return how many there were
   * @throws VerbsException where the queue is broken
   */
  public int poll(WorkCompletions into) {
    if (closed) {
      throw new IllegalStateException("the completion queue on " + context + " is closed");
    }
    int count = DataPath.pollCq(pollCq, address, into.capacity(), into.address());
    if (count < 0) {
      throw VerbsFailure.of("ibv_poll_cq", " on " + context, count == -1 ? 0 : -count);
    }
    return count;
  }

  /**
   * Asks for an announcement of the next completion on this queue's channel. What completed before
   * is not announced: poll once more after asking.
   *
   * @throws VerbsException where the device refuses
   */
  public void requestNotification() {
    int code = DataPath.reqNotifyCq(context.reqNotifyCq(), segment(), 0);
    if (code != 0) {
      throw VerbsFailure.of("ibv_req_notify_cq", " on " + context, Math.abs(code));
    }
  }

  MemorySegment segment() {
    if (closed) {
      throw new IllegalStateException("the completion queue on " + context + " is closed");
    }
    return queue;
  }

  /**
   * Destroys the queue. The queue pairs that use it must have been closed.
   *
   * @throws VerbsException where the driver refuses
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    context.free("ibv_destroy_cq", errno -> verbs_h.ibv_destroy_cq(errno, queue));
  }
}
