// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A network between the threads of one process, for tests: strictly first in first out, moves data
 * in {@code test} only, holds few messages, and says "not yet" often and irregularly. It counts
 * what is open, so that a test sees what was forgotten, and refuses what a correct caller never
 * does.
 */
public final class MemoryNet implements Net {
  private static final int DEPTH = 3;

  private final Map<Long, Listener> listeners = new ConcurrentHashMap<>();
  private final AtomicLong ids = new AtomicLong();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong moods;
  private final AtomicInteger completions = new AtomicInteger(Integer.MAX_VALUE);
  private volatile @Nullable NetException broken;
  private volatile long longest = 1L << 30;

  /** Creates a network whose moods follow from {@code seed}. */
  public MemoryNet(long seed) {
    this.moods = new AtomicLong(seed);
  }

  /** Returns how many communicators' contexts, listeners, comms and registrations are open. */
  public int open() {
    return open.get();
  }

  /** Opens a context that belongs to no communicator and need not be finalized. */
  public static NetContext context(Net net) {
    return net.init(0, NetCommConfig.DEFAULT, new RecordedLog(), null);
  }

  /** Sets the longest message that it takes, in bytes. */
  public MemoryNet longestMessage(long bytes) {
    longest = bytes;
    return this;
  }

  /** From now on only so many sends complete; one more on each comm still delivers its message. */
  public void limitCompletions(int sends) {
    completions.set(sends);
  }

  /** From now on every test fails. */
  public void failTests(NetException error) {
    broken = error;
  }

  /** Returns true now and then. */
  private boolean notYet() {
    long z = moods.addAndGet(0x9e3779b97f4a7c15L);
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    return (z >>> 60) < 3;
  }

  private record Message(byte[] data) {}

  private static final class Pipe {
    final ArrayDeque<Message> messages = new ArrayDeque<>();
    boolean senderGone;
    boolean receiverGone;
  }

  private static final class Listener implements ListenComm {
    final long id;
    final Context context;
    final ArrayDeque<Pipe> waiting = new ArrayDeque<>();

    Listener(long id, Context context) {
      this.id = id;
      this.context = context;
    }
  }

  private record Registered(Comm comm, MemorySegment segment) implements MemoryHandle {}

  private static class End {
    final Pipe pipe;
    final Context context;
    final ArrayDeque<MemoryRequest> requests = new ArrayDeque<>();
    int registered;
    boolean stuck;
    boolean closed;

    End(Pipe pipe, Context context) {
      this.pipe = pipe;
      this.context = context;
      context.open.incrementAndGet();
    }
  }

  private static final class Sender extends End implements SendComm {
    Sender(Pipe pipe, Context context) {
      super(pipe, context);
    }
  }

  private static final class Receiver extends End implements RecvComm {
    Receiver(Pipe pipe, Context context) {
      super(pipe, context);
    }
  }

  private record MemoryRequest(End end, MemorySegment data, boolean sends, Object identity)
      implements Request {
    @Override
    public boolean equals(Object other) {
      return other instanceof MemoryRequest that && that.identity == identity;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(identity);
    }
  }

  @Override
  public String name() {
    return "Memory";
  }

  private static final class Context implements NetContext {
    final AtomicInteger open = new AtomicInteger();
    final MemoryNet net;
    final boolean counts;
    volatile boolean finalized;

    Context(MemoryNet net, boolean counts) {
      this.net = net;
      this.counts = counts;
    }
  }

  @Override
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    boolean counts = commId != 0; // 0 is nobody's, as core asks whether a network works
    if (counts) {
      open.incrementAndGet();
    }
    return new Context(this, counts);
  }

  @Override
  public void finalizeContext(NetContext context) {
    Context own = require(context);
    if (own.open.get() > 0) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR, "finalized with " + own.open + " listeners and comms open");
    }
    own.finalized = true;
    if (own.counts) {
      open.decrementAndGet();
    }
  }

  private Context require(NetContext context) {
    if (!(context instanceof Context own) || own.net != this || own.finalized) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "no context: " + context);
    }
    return own;
  }

  @Override
  public int devices() {
    return 2;
  }

  @Override
  public NetProperties getProperties(int device) {
    NetProperties plain =
        device("mem" + device, null, device, PointerType.HOST.mask(), 100_000, 0, 0, 65_536, 1);
    return withLongest(plain, longest);
  }

  /** Makes properties of a host's device, whose number is also its {@code guid}. */
  public static NetProperties device(
      String name,
      @Nullable String pciPath,
      int guid,
      int ptrSupport,
      int speed,
      int port,
      float latency,
      int maxComms,
      int maxRecvs) {
    return new NetProperties(
        name,
        pciPath,
        guid,
        ptrSupport,
        false,
        false,
        speed,
        port,
        latency,
        maxComms,
        maxRecvs,
        NetDeviceType.HOST,
        0,
        VirtualDevice.physical(guid),
        1L << 30,
        1L << 30,
        1,
        NetProperties.ID_UNDEFINED,
        NetProperties.ID_UNDEFINED);
  }

  private static NetProperties withLongest(NetProperties p, long longest) {
    return new NetProperties(
        p.name(),
        p.pciPath(),
        p.guid(),
        p.ptrSupport(),
        p.regIsGlobal(),
        p.forceFlush(),
        p.speed(),
        p.port(),
        p.latency(),
        p.maxComms(),
        p.maxRecvs(),
        p.netDeviceType(),
        p.netDeviceVersion(),
        p.virtualDevice(),
        longest,
        p.maxCollBytes(),
        p.maxMultiRequestSize(),
        p.railId(),
        p.planeId());
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    Listener listener = new Listener(ids.incrementAndGet(), require(context));
    listener.context.open.incrementAndGet();
    handle.set(ValueLayout.JAVA_LONG, 0, listener.id);
    listeners.put(listener.id, listener);
    open.incrementAndGet();
    return listener;
  }

  @Override
  public @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    Context own = require(context);
    Listener listener = listeners.get(handle.get(ValueLayout.JAVA_LONG, 0));
    if (listener == null) {
      throw new NetException(ResultCode.REMOTE_ERROR, "nobody listens");
    }
    if (handle.get(ValueLayout.JAVA_LONG, 8) == 0) {
      handle.set(ValueLayout.JAVA_LONG, 8, 1);
      return null;
    }
    Pipe pipe = new Pipe();
    synchronized (listener) {
      listener.waiting.add(pipe);
    }
    open.incrementAndGet();
    return new Sender(pipe, own);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
    Listener listener = (Listener) listenComm;
    synchronized (listener) {
      Pipe pipe = notYet() ? null : listener.waiting.poll();
      if (pipe == null) {
        return null;
      }
      open.incrementAndGet();
      return new Receiver(pipe, listener.context);
    }
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    ((End) comm).registered++;
    open.incrementAndGet();
    return new Registered(comm, Objects.requireNonNull(memory.segment()));
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    ((End) comm).registered--;
    open.decrementAndGet();
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    return start((Sender) comm, (Registered) mr, offset, length, true);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm,
      int n,
      MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      int[] tags,
      long @Nullable [] profilerHandles,
      int hints) {
    return start((Receiver) comm, (Registered) mrs[0], offsets[0], lengths[0], false);
  }

  private @Nullable Request start(
      End end, Registered memory, long offset, long length, boolean sends) {
    if (memory.comm() != end || end.closed) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "not registered with this comm");
    }
    if (end.requests.size() >= MAX_REQUESTS || notYet()) {
      return null;
    }
    MemoryRequest request =
        new MemoryRequest(end, memory.segment().asSlice(offset, length), sends, new Object());
    end.requests.add(request);
    return request;
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return null;
  }

  @Override
  public boolean test(Request token, int @Nullable [] sizes) {
    MemoryRequest request = (MemoryRequest) token;
    End end = request.end();
    NetException error = broken;
    if (error != null) {
      throw error;
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new NetException(ResultCode.SYSTEM_ERROR, "called on an interrupted thread");
    }
    if (!end.requests.contains(request)) {
      throw new NetException(ResultCode.INTERNAL_ERROR, "tested after it was done");
    }
    if (notYet() || end.requests.peek() != request) {
      return false;
    }
    Pipe pipe = end.pipe;
    synchronized (pipe) {
      if (request.sends()) {
        if (pipe.receiverGone) {
          throw new NetException(ResultCode.REMOTE_ERROR, "the receiver has closed");
        }
        if (pipe.messages.size() == DEPTH) {
          return false;
        }
        if (end.stuck) {
          return false;
        }
        end.stuck = completions.getAndUpdate(n -> n == 0 ? 0 : n - 1) == 0;
        pipe.messages.add(new Message(request.data().toArray(ValueLayout.JAVA_BYTE)));
        if (end.stuck) {
          return false;
        }
      } else {
        Message message = pipe.messages.poll();
        if (message == null) {
          if (pipe.senderGone) {
            throw new NetException(ResultCode.REMOTE_ERROR, "the sender has closed");
          }
          return false;
        }
        if (message.data().length > request.data().byteSize()) {
          throw new NetException(ResultCode.INVALID_USAGE, "the message is too long");
        }
        MemorySegment.copy(
            message.data(), 0, request.data(), ValueLayout.JAVA_BYTE, 0, message.data().length);
        if (sizes != null) {
          sizes[0] = message.data().length;
        }
      }
    }
    end.requests.remove();
    return true;
  }

  @Override
  public void closeSend(SendComm comm) {
    Sender sender = (Sender) comm;
    sender.closed = true;
    sender.context.open.decrementAndGet();
    synchronized (sender.pipe) {
      sender.pipe.senderGone = true;
    }
    open.decrementAndGet();
  }

  @Override
  public void closeRecv(RecvComm comm) {
    Receiver receiver = (Receiver) comm;
    receiver.closed = true;
    receiver.context.open.decrementAndGet();
    synchronized (receiver.pipe) {
      receiver.pipe.receiverGone = true;
    }
    open.decrementAndGet();
  }

  @Override
  public void closeListen(ListenComm comm) {
    Listener listener = (Listener) comm;
    listeners.remove(listener.id);
    listener.context.open.decrementAndGet();
    open.decrementAndGet();
  }
}
