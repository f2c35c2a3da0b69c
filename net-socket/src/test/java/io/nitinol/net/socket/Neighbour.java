// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A connection of the same plugin that works all the time while others are maltreated. */
final class Neighbour implements AutoCloseable {
  private static final int BYTES = 3000;
  private static final long PAUSE_NANOS = 200_000;

  final Loopback pair = new Loopback().connected();
  private final FutureTask<Long> work = new FutureTask<>(this::work);
  private volatile boolean leaving;

  Neighbour() {
    Thread.ofPlatform().daemon().name("neighbour").start(work);
  }

  private long work() {
    MemorySegment out = pair.arena.allocate(BYTES, 8);
    MemorySegment in = pair.arena.allocate(BYTES, 8);
    MemoryHandle sent = pair.register(Objects.requireNonNull(pair.send), out);
    MemoryHandle received = pair.register(Objects.requireNonNull(pair.recv), in);
    long messages = 0;
    while (!leaving) {
      Loopback.fill(out, messages);
      Request receiving = pair.irecv(received, 0, BYTES);
      Request sending = pair.net.isend(pair.send, sent, 0, BYTES, 0);
      assertThat(pair.complete(sending, receiving)).isEqualTo(BYTES);
      assertThat(in.mismatch(out)).as("first byte that is wrong in a message").isEqualTo(-1);
      in.set(ValueLayout.JAVA_BYTE, messages % BYTES, (byte) ~in.get(ValueLayout.JAVA_BYTE, 0));
      messages++;
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return messages;
  }

  /** Ends it; returns how many messages have come, all of them as they were sent. */
  long leave() throws Exception {
    leaving = true;
    return work.get(240, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    leave();
    pair.close();
  }
}
