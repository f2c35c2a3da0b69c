// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.fabric;

import io.nitinol.samples.libfabric.ffi.FabricCalls;
import io.nitinol.samples.libfabric.ffi.fabric_h;
import io.nitinol.samples.libfabric.ffi.fi_av_attr;
import io.nitinol.samples.libfabric.ffi.fi_cq_attr;
import io.nitinol.samples.libfabric.ffi.fi_cq_err_entry;
import io.nitinol.samples.libfabric.ffi.fi_cq_tagged_entry;
import io.nitinol.samples.libfabric.ffi.fi_ops;
import io.nitinol.samples.libfabric.ffi.fi_ops_av;
import io.nitinol.samples.libfabric.ffi.fi_ops_cm;
import io.nitinol.samples.libfabric.ffi.fi_ops_cq;
import io.nitinol.samples.libfabric.ffi.fi_ops_domain;
import io.nitinol.samples.libfabric.ffi.fi_ops_ep;
import io.nitinol.samples.libfabric.ffi.fi_ops_tagged;
import io.nitinol.samples.libfabric.ffi.fid_av;
import io.nitinol.samples.libfabric.ffi.fid_cq;
import io.nitinol.samples.libfabric.ffi.fid_ep;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint for reliable datagrams with a completion queue and one peer of its own, so that its
 * close ends every operation and what fails there fails nowhere else. Operations are known by a
 * number from 0 to {@link #OPERATIONS} - 1, which the owner does not use twice at a time. No call
 * waits or allocates on the heap once it is open.
 */
@OneThread
public final class Endpoint {
  /** How many operations can be under way. */
  public static final int OPERATIONS = 306;

  /** The longest address of a fabric in bytes. */
  public static final int LONGEST_ADDRESS = 512;

  /** What {@link #send} and {@link #receive} return where the provider has no room now. */
  public static final long NO_ROOM = -fabric_h.FI_EAGAIN();

  /** The error number of an operation that was taken back. */
  public static final int CANCELLED = fabric_h.FI_ECANCELED();

  /** A provider may keep its own data here while an operation is under way: FI_CONTEXT2. */
  private static final int CONTEXT = 64;

  /** How many completions one {@link #poll} tells at most. */
  public static final int ENTRIES = 16;

  private static final long ANYONE = -1;

  // Newer versions of struct fi_cq_err_entry are longer than the bound one.
  private static final long ERROR_ENTRY = 256;
  private static final long ERROR_TEXT = 256;

  /** How long a message that has begun to arrive may hold up the close. */
  private static final long ARRIVING_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** Hears how operations ended. */
  public interface Completions {
    /**
     * An operation has completed.
     *
     * @param operation its number
     * @param bytes how many bytes were received
     */
    void completed(int operation, long bytes);

    /**
     * A receive was taken back, as {@link Endpoint#cancel} asked.
     *
     * @param operation its number
     */
    void cancelled(int operation);

    /**
     * An operation has failed.
     *
     * @param operation its number; -1 where the queue of completions itself has failed
     * @param error an error number
     * @param text what libfabric and the provider say
     */
    void failed(int operation, int error, String text);
  }

  /** Hears what ends because the endpoint is closed. */
  private static final Completions NOBODY =
      new Completions() {
        @Override
        public void completed(int operation, long bytes) {}

        @Override
        public void cancelled(int operation) {}

        @Override
        public void failed(int operation, int error, String text) {}
      };

  private final Domain domain;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment entries;
  private final MemorySegment error;
  private final MemorySegment contexts;

  /** The receives that have not ended, by the numbers of their operations. */
  private final BitSet receiving = new BitSet(OPERATIONS);

  private final byte[] name;
  private final MemorySegment sendCall;
  private final MemorySegment receiveCall;
  private final MemorySegment cancelCall;
  private final MemorySegment readCall;
  private final MemorySegment readErrorCall;
  private final MemorySegment errorTextCall;
  private long queue;
  private long addresses;
  private long endpoint;
  private long peer = ANYONE;
  private boolean closed;

  /**
   * Opens an endpoint.
   *
   * @param domain where
   * @throws NetException SYSTEM_ERROR where libfabric refuses; nothing is held then
   */
  public Endpoint(Domain domain) {
    this.domain = domain;
    try {
      entries = fi_cq_tagged_entry.allocateArray(ENTRIES, arena);
      error = arena.allocate(ERROR_ENTRY + ERROR_TEXT, Long.BYTES);
      contexts = arena.allocate((long) CONTEXT * OPERATIONS, CONTEXT);
      open();
      name = readName();
      MemorySegment tagged =
          fi_ops_tagged.reinterpret(
              fid_ep.tagged(fid_ep.reinterpret(MemorySegment.ofAddress(endpoint))));
      sendCall = fi_ops_tagged.send(tagged);
      receiveCall = fi_ops_tagged.recv(tagged);
      cancelCall =
          fi_ops_ep.cancel(
              fi_ops_ep.reinterpret(
                  fid_ep.ops(fid_ep.reinterpret(MemorySegment.ofAddress(endpoint)))));
      MemorySegment reading =
          fi_ops_cq.reinterpret(fid_cq.ops(fid_cq.reinterpret(MemorySegment.ofAddress(queue))));
      readCall = fi_ops_cq.read(reading);
      readErrorCall = fi_ops_cq.readerr(reading);
      errorTextCall = fi_ops_cq.strerror(reading);
    } catch (RuntimeException | Error e) {
      NetException second = close();
      if (second != null) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  private void open() {
    FabricInfo info = domain.info();
    MemorySegment queueWish = fi_cq_attr.allocate(arena);
    // More than can be under way: every operation and its error at once.
    fi_cq_attr.size(queueWish, 2L * OPERATIONS);
    fi_cq_attr.format(queueWish, fabric_h.FI_CQ_FORMAT_TAGGED());
    fi_cq_attr.wait_obj(queueWish, fabric_h.FI_WAIT_NONE());
    queue = domain.open("fi_cq_open", fi_ops_domain.cq_open(domain.ops()), queueWish);
    MemorySegment tableWish = fi_av_attr.allocate(arena);
    fi_av_attr.type(tableWish, fabric_h.FI_AV_TABLE());
    fi_av_attr.count(tableWish, 1);
    addresses = domain.open("fi_av_open", fi_ops_domain.av_open(domain.ops()), tableWish);
    endpoint = domain.open("fi_endpoint", fi_ops_domain.endpoint(domain.ops()), info.segment());
    MemorySegment ops = Domain.ops(Domain.fidAt(endpoint));
    MemorySegment bind = fi_ops.bind(ops);
    check(
        "fi_ep_bind of a completion queue",
        FabricCalls.bind(bind, endpoint, queue, fabric_h.FI_TRANSMIT() | fabric_h.FI_RECV()));
    check("fi_ep_bind of a table of addresses", FabricCalls.bind(bind, endpoint, addresses, 0));
    check("fi_enable", FabricCalls.control(fi_ops.control(ops), endpoint, fabric_h.FI_ENABLE(), 0));
  }

  private void check(String call, long code) {
    if (code < 0) {
      throw FabricFailure.of(call, code, domain.info().label());
    }
  }

  private byte[] readName() {
    MemorySegment address = arena.allocate(LONGEST_ADDRESS, Long.BYTES);
    MemorySegment length = arena.allocate(ValueLayout.JAVA_LONG);
    length.set(ValueLayout.JAVA_LONG, 0, LONGEST_ADDRESS);
    MemorySegment cm =
        fi_ops_cm.reinterpret(fid_ep.cm(fid_ep.reinterpret(MemorySegment.ofAddress(endpoint))));
    check(
        "fi_getname",
        FabricCalls.getname(fi_ops_cm.getname(cm), endpoint, address.address(), length.address()));
    return address.asSlice(0, length.get(ValueLayout.JAVA_LONG, 0)).toArray(ValueLayout.JAVA_BYTE);
  }

  /** {@return where the endpoint is in the fabric} */
  public byte[] name() {
    return name.clone();
  }

  /** {@return the domain it was opened on} */
  public Domain domain() {
    return domain;
  }

  /**
   * Sets the only peer.
   *
   * @param address its {@link #name}
   * @param label the peer, for messages
   * @throws NetException REMOTE_ERROR where the provider cannot use the address
   */
  public void join(byte[] address, String label) {
    // Some providers read the address as text: a zero follows also the longest.
    MemorySegment copy = arena.allocate(LONGEST_ADDRESS + 1, Long.BYTES);
    MemorySegment.copy(address, 0, copy, ValueLayout.JAVA_BYTE, 0, address.length);
    MemorySegment result = arena.allocate(ValueLayout.JAVA_LONG);
    MemorySegment ops =
        fi_ops_av.reinterpret(fid_av.ops(fid_av.reinterpret(MemorySegment.ofAddress(addresses))));
    int added =
        FabricCalls.insert(
            fi_ops_av.insert(ops), addresses, copy.address(), 1, result.address(), 0, 0);
    if (added != 1) {
      throw new NetException(
          ResultCode.REMOTE_ERROR,
          ErrorText.of(
              "%s: %s cannot use the address of the peer (fi_av_insert returned %d)",
              label, domain.info().label(), added));
    }
    peer = result.get(ValueLayout.JAVA_LONG, 0);
  }

  /** {@return an address that messages of no bytes may name} */
  public long nowhere() {
    return error.address();
  }

  /**
   * Starts sending a message to the peer.
   *
   * @param operation the number by which it completes
   * @param address the first byte
   * @param length in bytes
   * @param descriptor of registered memory; 0 where the provider asks for none
   * @param tag what the peer's receive waits for
   * @return 0; {@link #NO_ROOM}; or another negative error number
   */
  public long send(int operation, long address, long length, long descriptor, long tag) {
    return FabricCalls.tsend(
        sendCall, endpoint, address, length, descriptor, peer, tag, context(operation));
  }

  /**
   * Starts receiving a message.
   *
   * @param operation the number by which it completes
   * @param address where its first byte goes
   * @param length the room in bytes
   * @param descriptor of registered memory; 0 where the provider asks for none
   * @param tag what the message has
   * @return as {@link #send}
   */
  public long receive(int operation, long address, long length, long descriptor, long tag) {
    long code =
        FabricCalls.trecv(
            receiveCall, endpoint, address, length, descriptor, ANYONE, tag, 0, context(operation));
    if (code == 0) {
      receiving.set(operation);
    }
    return code;
  }

  /**
   * Asks the provider to take a receive back. It ends as cancelled, or completes where a message
   * has met it before.
   *
   * @param operation its number
   */
  public void cancel(int operation) {
    // It returns 0 in any case.
    FabricCalls.cancel(cancelCall, endpoint, context(operation));
  }

  private long context(int operation) {
    return contexts.address() + (long) operation * CONTEXT;
  }

  /**
   * Lets the provider go on and tells how operations ended.
   *
   * @param to who hears it
   * @return how many ended
   */
  public int poll(Completions to) {
    long count = FabricCalls.cqRead(readCall, queue, entries.address(), ENTRIES);
    if (count == NO_ROOM || count == 0) {
      return 0;
    }
    if (count == -fabric_h.FI_EAVAIL()) {
      return pollError(to);
    }
    if (count < 0) {
      to.failed(-1, (int) -count, failure("fi_cq_read", count));
      return 0;
    }
    for (int i = 0; i < count; i++) {
      long at = fi_cq_tagged_entry.sizeof() * i;
      long context =
          entries.get(ValueLayout.JAVA_LONG, at + fi_cq_tagged_entry.op_context$offset());
      long length = entries.get(ValueLayout.JAVA_LONG, at + fi_cq_tagged_entry.len$offset());
      int operation = operation(context);
      if (operation >= 0) {
        receiving.clear(operation);
        to.completed(operation, length);
      }
    }
    return (int) count;
  }

  private String failure(String call, long code) {
    return String.valueOf(FabricFailure.of(call, code, domain.info().label()).getMessage());
  }

  private int operation(long context) {
    long at = context - contexts.address();
    return at >= 0 && at < (long) CONTEXT * OPERATIONS ? (int) (at / CONTEXT) : -1;
  }

  private int pollError(Completions to) {
    error.fill((byte) 0);
    long count = FabricCalls.cqReadErr(readErrorCall, queue, error.address(), 0);
    if (count == NO_ROOM) {
      return 0;
    }
    if (count < 0) {
      to.failed(-1, (int) -count, failure("fi_cq_readerr", count));
      return 0;
    }
    int number = fi_cq_err_entry.err(error);
    int operation = operation(fi_cq_err_entry.op_context(error).address());
    if (number == CANCELLED && operation >= 0) {
      receiving.clear(operation);
      to.cancelled(operation);
      return 1;
    }
    String text =
        ErrorText.of(
            "%s: %s (error %d; the provider says: %s, %d)",
            domain.info().label(),
            FabricFailure.text(number),
            number,
            providerText(),
            fi_cq_err_entry.prov_errno(error));
    if (operation >= 0) {
      receiving.clear(operation);
    }
    to.failed(operation, number, text);
    return 1;
  }

  private String providerText() {
    MemorySegment text =
        FabricCalls.cqStrerror(
            errorTextCall,
            queue,
            fi_cq_err_entry.prov_errno(error),
            fi_cq_err_entry.err_data(error).address(),
            error.address() + ERROR_ENTRY,
            ERROR_TEXT);
    return FabricFailure.string(text);
  }

  /**
   * Takes back what is posted, and waits for the messages that already come into it. A message that
   * the provider finds while it closes then meets no receive, so it needs no answer.
   */
  private void endReceives() {
    for (int i = receiving.nextSetBit(0); i >= 0; i = receiving.nextSetBit(i + 1)) {
      cancel(i);
    }
    long start = System.nanoTime();
    while ((poll(NOBODY) > 0 || !receiving.isEmpty())
        && System.nanoTime() - start < ARRIVING_NANOS) {
      Thread.onSpinWait();
    }
  }

  /**
   * Ends all operations and frees everything. When it returns, the provider uses no memory of
   * operations any more.
   *
   * @return what could not be freed, or null
   */
  public @Nullable NetException close() {
    if (closed) {
      return null;
    }
    closed = true;
    if (!receiving.isEmpty() && domain.info().answersWhileItCloses()) {
      endReceives();
    }
    NetException failure = null;
    for (long object : new long[] {endpoint, addresses, queue}) {
      int code = object == 0 ? 0 : Domain.closeFid(object);
      if (code != 0 && failure == null) {
        failure = FabricFailure.of("fi_close", code, domain.info().label());
      }
    }
    if (failure == null) {
      // Otherwise the provider may still write to the contexts.
      arena.close();
    }
    return failure;
  }
}
