// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import io.nitinol.spi.net.v6.NetProperties;
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

  /** Creates a network whose moods follow from {@code seed}. */
  public MemoryNet(long seed) {
    this.moods = new AtomicLong(seed);
  }

  /** Returns how many listeners, comms and registrations are open. */
  public int open() {
    return open.get();
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
    final ArrayDeque<Pipe> waiting = new ArrayDeque<>();

    Listener(long id) {
      this.id = id;
    }
  }

  private record Registered(Comm comm, MemorySegment segment) implements MemoryHandle {}

  private static class End {
    final Pipe pipe;
    final ArrayDeque<MemoryRequest> requests = new ArrayDeque<>();
    int registered;
    boolean stuck;
    boolean closed;

    End(Pipe pipe) {
      this.pipe = pipe;
    }
  }

  private static final class Sender extends End implements SendComm {
    Sender(Pipe pipe) {
      super(pipe);
    }
  }

  private static final class Receiver extends End implements RecvComm {
    Receiver(Pipe pipe) {
      super(pipe);
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

  @Override
  public void init(DebugLogger logger) {}

  @Override
  public int devices() {
    return 2;
  }

  @Override
  public NetProperties getProperties(int device) {
    return new NetProperties(
        "mem" + device, null, device, PointerType.HOST.mask(), 100_000, 0, 0, 65_536, 1);
  }

  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    Listener listener = new Listener(ids.incrementAndGet());
    handle.set(ValueLayout.JAVA_LONG, 0, listener.id);
    listeners.put(listener.id, listener);
    open.incrementAndGet();
    return listener;
  }

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
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
    return new Sender(pipe);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm) {
    Listener listener = (Listener) listenComm;
    synchronized (listener) {
      Pipe pipe = notYet() ? null : listener.waiting.poll();
      if (pipe == null) {
        return null;
      }
      open.incrementAndGet();
      return new Receiver(pipe);
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
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return start((Sender) comm, (Registered) mr, offset, length, true);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
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
    synchronized (sender.pipe) {
      sender.pipe.senderGone = true;
    }
    open.decrementAndGet();
  }

  @Override
  public void closeRecv(RecvComm comm) {
    Receiver receiver = (Receiver) comm;
    receiver.closed = true;
    synchronized (receiver.pipe) {
      receiver.pipe.receiverGone = true;
    }
    open.decrementAndGet();
  }

  @Override
  public void closeListen(ListenComm comm) {
    listeners.remove(((Listener) comm).id);
    open.decrementAndGet();
  }
}
