// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.nitinol.net.socket.request.AnnouncedMessages;
import io.nitinol.net.socket.request.RequestRing;
import io.nitinol.net.socket.wire.BufferPool;
import io.nitinol.net.socket.wire.TestWire;
import io.nitinol.spi.net.Comm;
import io.nitinol.stress.Gate;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.function.Consumer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** The thread of a stream goes to rest while a chunk is assigned: one of the two sees the other. */
public class StreamThreadStress {
  private static final MethodHandle AWAIT;
  private static final VarHandle SELECTOR;
  private static final VarHandle KEYS;

  static {
    try {
      MethodHandles.Lookup lookup =
          MethodHandles.privateLookupIn(StreamThread.class, MethodHandles.lookup());
      AWAIT = lookup.findVirtual(StreamThread.class, "await", MethodType.methodType(void.class));
      SELECTOR = lookup.findVarHandle(StreamThread.class, "selector", Selector.class);
      KEYS = lookup.findVarHandle(StreamThread.class, "keys", SelectionKey[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Behind the stream that gets a chunk the thread has one that waits for the driver: after the
   * look at the first and before the rest. The numbers are whether the first look saw the chunk,
   * and whether the thread was woken.
   */
  @JCStressTest
  @Outcome(
      id = {"1, 0", "0, 1", "1, 1", "2, 0", "2, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "a wake-up is lost")
  @State
  public static class Rest {
    private static final BufferPool HEADERS = new BufferPool(ChunkHeader.HEADER);

    private final Sending sending = Sending.ALL.take();
    private final Gate gate = new Gate();
    private final InStream waiting =
        new InStream(TestWire.over(new Sink(gate::await)), 1, open(), HEADERS);
    private final StreamThread thread =
        new StreamThread("never started", new DataStream[] {sending.stream, waiting}, 0);
    private final Wakes wakes = new Wakes();

    public Rest() {
      SELECTOR.setVolatile(thread, wakes);
      SelectionKey[] keys = (SelectionKey[]) KEYS.get(thread);
      keys[0] = new Key();
      keys[1] = new Key();
    }

    private static AnnouncedMessages open() {
      AnnouncedMessages messages = new AnnouncedMessages(new RequestRing(new Comm() {}));
      messages.publish(0, 1);
      return messages;
    }

    @Actor
    public void resting() {
      gate.first();
      try {
        AWAIT.invokeExact(thread);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    @Actor
    public void driver() {
      gate.second();
      sending.assign();
      thread.wake();
      gate.open();
    }

    @Arbiter
    public void look(II_Result r) {
      boolean seen = sending.sink.message == sending.assigned - 1;
      r.r1 = gate.isGivenUp() ? 2 : seen ? 1 : 0;
      r.r2 = wakes.woken ? 1 : 0;
      waiting.release();
      sending.written = sending.sink.message + 1;
      sending.settle();
      Sending.ALL.give(sending);
    }
  }

  /** Notes what is done to it. */
  private static final class Wakes extends Selector {
    boolean woken;

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) {
      return 0;
    }

    @Override
    public Selector wakeup() {
      woken = true;
      return this;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public SelectorProvider provider() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Set<SelectionKey> keys() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int selectNow() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int select(long timeout) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int select() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  private static final class Key extends SelectionKey {
    private int ops;

    @Override
    public int interestOps() {
      return ops;
    }

    @Override
    public SelectionKey interestOps(int newOps) {
      ops = newOps;
      return this;
    }

    @Override
    public SelectableChannel channel() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Selector selector() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isValid() {
      return true;
    }

    @Override
    public void cancel() {}

    @Override
    public int readyOps() {
      return 0;
    }
  }
}
