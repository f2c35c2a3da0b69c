// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.CLibrary;
import io.nitinol.net.ib.ffi.ibv_async_event;
import io.nitinol.net.ib.ffi.ibv_context;
import io.nitinol.net.ib.ffi.ibv_context_ops;
import io.nitinol.net.ib.ffi.ibv_device_attr;
import io.nitinol.net.ib.ffi.ibv_gid;
import io.nitinol.net.ib.ffi.ibv_gid_entry;
import io.nitinol.net.ib.ffi.ibv_port_attr;
import io.nitinol.net.ib.ffi.ibv_qp;
import io.nitinol.net.ib.ffi.verbs_h;
import io.nitinol.net.ib.ffi.verbs_optional;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An open device. Everything made from it must be closed before it is. Its methods may be called
 * from several threads, {@link #nextEvent} from one at a time.
 */
public final class VerbsContext implements AutoCloseable {
  private final MemorySegment context;
  private final String name;
  private final MemorySegment pollCq;
  private final MemorySegment postSend;
  private final MemorySegment postRecv;
  private final MemorySegment reqNotifyCq;

  // For waits that come again and again and must not be seen on the heap.
  private final Arena waiting = Arena.ofShared();
  private final MemorySegment waitErrno = ErrnoSegment.in(waiting);
  private final MemorySegment waitPoll = CLibrary.pollArgument(waiting);

  private boolean closed;

  VerbsContext(MemorySegment context, String name) {
    this.context = ibv_context.reinterpret(context);
    this.name = name;
    MemorySegment ops = ibv_context.ops(this.context);
    this.pollCq = ibv_context_ops.poll_cq(ops);
    this.postSend = ibv_context_ops.post_send(ops);
    this.postRecv = ibv_context_ops.post_recv(ops);
    this.reqNotifyCq = ibv_context_ops.req_notify_cq(ops);
  }

  /** {@return the device's name, such as {@code mlx5_0}} */
  public String name() {
    return name;
  }

  /** {@return the descriptor on which asynchronous events arrive; it belongs to this object} */
  public int asyncDescriptor() {
    return ibv_context.async_fd(live());
  }

  /**
   * {@return what the device can do}
   *
   * @throws VerbsException where the device does not answer
   */
  public DeviceAttributes queryDevice() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment attributes = ibv_device_attr.allocate(arena);
      int code = verbs_h.ibv_query_device(errno, live(), attributes);
      check("ibv_query_device", " on " + name, code, errno);
      return DeviceAttributes.of(attributes);
    }
  }

  /**
   * {@return a port's state now}
   *
   * @param port number of the port, from 1
   * @throws VerbsException where there is no such port
   */
  public PortAttributes queryPort(int port) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      // The exported function writes an older and shorter struct; the rest stays zero.
      MemorySegment attributes = ibv_port_attr.allocate(arena);
      int code = verbs_h.ibv_query_port(errno, live(), (byte) port, attributes);
      check("ibv_query_port", on(port), code, errno);
      return PortAttributes.of(attributes);
    }
  }

  /**
   * {@return a port's GID; all zero where the entry is empty}
   *
   * @param port number of the port, from 1
   * @param index index in its table, from 0
   * @throws VerbsException where there is no such entry
   */
  public Gid queryGid(int port, int index) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment gid = ibv_gid.allocate(arena);
      int code = verbs_h.ibv_query_gid(errno, live(), (byte) port, index, gid);
      check("ibv_query_gid", on(port) + " index " + index, code, errno);
      return Gid.of(gid);
    }
  }

  /**
   * Returns a port's GID with its type ({@code ibv_query_gid_ex}).
   *
   * @param port number of the port, from 1
   * @param index index in its table, from 0
   * @return null where the entry is empty or the library or kernel cannot tell
   */
  public @Nullable GidEntry queryGidEntry(int port, int index) {
    if (!Verbs.hasGidEntries()) {
      return null;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment entry = ibv_gid_entry.allocate(arena);
      int code =
          verbs_optional._ibv_query_gid_ex(
              errno, live(), port, index, entry, 0, ibv_gid_entry.sizeof());
      return code != 0
          ? null
          : new GidEntry(
              Gid.of(ibv_gid_entry.gid(entry)),
              ibv_gid_entry.gid_index(entry),
              ibv_gid_entry.gid_type(entry),
              ibv_gid_entry.ndev_ifindex(entry));
    }
  }

  /**
   * {@return a partition key of a port, 16 bits}
   *
   * @param port number of the port, from 1
   * @param index index in its table, from 0
   * @throws VerbsException where there is no such entry
   */
  public int queryPkey(int port, int index) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment pkey = arena.allocate(ValueLayout.JAVA_SHORT);
      int code = verbs_h.ibv_query_pkey(errno, live(), (byte) port, index, pkey);
      check("ibv_query_pkey", on(port) + " index " + index, code, errno);
      return Short.toUnsignedInt(Short.reverseBytes(pkey.get(ValueLayout.JAVA_SHORT, 0)));
    }
  }

  /**
   * Makes a protection domain.
   *
   * @return the domain, to be closed
   * @throws VerbsException where the device has no more
   */
  public ProtectionDomain allocateDomain() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment domain = verbs_h.ibv_alloc_pd(errno, live());
      if (domain.address() == 0) {
        throw VerbsFailure.of("ibv_alloc_pd", " on " + name, ErrnoSegment.of(errno));
      }
      return new ProtectionDomain(this, domain);
    }
  }

  /**
   * Makes a completion queue.
   *
   * @param entries completions that it must hold
   * @param channel where it announces completions when asked to, or null
   * @return the queue, to be closed after all queue pairs that use it
   * @throws VerbsException where the device has no more
   */
  public CompletionQueue createQueue(int entries, @Nullable CompletionChannel channel) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment announce = channel == null ? MemorySegment.NULL : channel.segment();
      MemorySegment queue =
          verbs_h.ibv_create_cq(errno, live(), entries, MemorySegment.NULL, announce, 0);
      if (queue.address() == 0) {
        throw VerbsFailure.of(
            "ibv_create_cq", " of " + entries + " entries on " + name, ErrnoSegment.of(errno));
      }
      return new CompletionQueue(this, queue);
    }
  }

  /**
   * Makes a channel on which completion queues announce completions.
   *
   * @return the channel, to be closed after the queues that use it
   * @throws VerbsException where there are no more descriptors
   */
  public CompletionChannel createChannel() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment channel = verbs_h.ibv_create_comp_channel(errno, live());
      if (channel.address() == 0) {
        throw VerbsFailure.of("ibv_create_comp_channel", " on " + name, ErrnoSegment.of(errno));
      }
      return new CompletionChannel(this, channel);
    }
  }

  /**
   * Waits for the next asynchronous event, and acknowledges it.
   *
   * @param milliseconds how long to wait at most; 0 only looks
   * @return null where nothing happened in that time
   * @throws VerbsException where the device no longer tells
   */
  public @Nullable AsyncEvent nextEvent(int milliseconds) {
    // The call itself would wait for ever.
    int ready = CLibrary.awaitReadable(waitErrno, waitPoll, asyncDescriptor(), milliseconds);
    if (ready == 0 || (ready < 0 && ErrnoSegment.of(waitErrno) == Errno.EINTR)) {
      return null;
    }
    if (ready < 0) {
      check("poll", " for events of " + name, -1, waitErrno);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment event = ibv_async_event.allocate(arena);
      int code = verbs_h.ibv_get_async_event(errno, live(), event);
      check("ibv_get_async_event", " on " + name, code, errno);
      AsyncEvent seen = read(event);
      verbs_h.ibv_ack_async_event(errno, event);
      return seen;
    }
  }

  private static AsyncEvent read(MemorySegment event) {
    int number = ibv_async_event.event_type(event);
    AsyncEvent.Type type = AsyncEvent.Type.of(number);
    MemorySegment element = ibv_async_event.element(event);
    int pair = -1;
    long queue = 0;
    int port = 0;
    switch (type.subject()) {
      case QUEUE_PAIR ->
          pair = ibv_qp.qp_num(ibv_qp.reinterpret(ibv_async_event.element.qp(element)));
      case COMPLETION_QUEUE -> queue = ibv_async_event.element.cq(element).address();
      case PORT -> port = ibv_async_event.element.port_num(element);
      case DEVICE, OTHER -> {}
    }
    return new AsyncEvent(type, Verbs.eventText(number), pair, queue, port);
  }

  /** Closes the device. What was made from it must have been closed. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      check("ibv_close_device", " of " + name, verbs_h.ibv_close_device(errno, context), errno);
    } finally {
      waiting.close();
    }
  }

  private MemorySegment live() {
    if (closed) {
      throw new IllegalStateException(name + " is closed");
    }
    return context;
  }

  MemorySegment pollCq() {
    return pollCq;
  }

  MemorySegment postSend() {
    return postSend;
  }

  MemorySegment postRecv() {
    return postRecv;
  }

  MemorySegment reqNotifyCq() {
    return reqNotifyCq;
  }

  private String on(int port) {
    return " on " + name + ":" + port;
  }

  static void check(String call, String where, int code, MemorySegment errno) {
    if (code != 0) {
      throw VerbsFailure.of(call, where, ErrnoSegment.of(code, errno));
    }
  }

  /** Frees what was made of this context; {@code call} does so, and returns 0 where it could. */
  void free(String name, ToIntFunction<MemorySegment> call) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      check(name, " on " + this, call.applyAsInt(errno), errno);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
