// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfDevice;
import io.nitinol.cli.perf.collective.PerfSession;
import io.nitinol.spi.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Ranks that send each other messages one at a time, as {@code sendrecv} with pairs does. A send
 * takes a time that is known from below, and the sends between two meetings are counted.
 */
final class MailSessions {
  private static final long LIMIT_SECONDS = 240;

  private final int size;
  private final long sendNanos;
  private final CyclicBarrier barrier;
  private final byte[][] exchanged;
  private final List<BlockingQueue<byte[]>> mail = new ArrayList<>();
  private final AtomicInteger sends = new AtomicInteger();
  private final AtomicInteger mostSends = new AtomicInteger();

  MailSessions(int size, long sendNanos) {
    this.size = size;
    this.sendNanos = sendNanos;
    this.barrier = new CyclicBarrier(size);
    this.exchanged = new byte[size][];
    for (int i = 0; i < size * size; i++) {
      mail.add(new LinkedBlockingQueue<>());
    }
  }

  /** Returns the most sends of all ranks together between two meetings. */
  int mostSendsWithoutMeeting() {
    return mostSends.get();
  }

  List<PerfSession> all() {
    List<PerfSession> all = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      all.add(session(rank));
    }
    return all;
  }

  private PerfSession session(int rank) {
    InvocationHandler handler =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "rank" -> rank;
              case "size" -> size;
              case "device" -> PerfDevice.host("fake");
              case "network" -> "fake";
              case "send" -> {
                send(rank, (int) arguments[3], bytes(arguments));
                yield null;
              }
              case "recv" -> {
                byte[] came =
                    mail.get((int) arguments[3] * size + rank)
                        .poll(LIMIT_SECONDS, TimeUnit.SECONDS);
                MemorySegment.copy(
                    came, 0, (MemorySegment) arguments[0], ValueLayout.JAVA_BYTE, 0, came.length);
                yield null;
              }
              case "exchange" -> exchange(rank, (byte[]) arguments[0]);
              default ->
                  method.isDefault()
                      ? InvocationHandler.invokeDefault(proxy, method, arguments)
                      : null;
            };
    return (PerfSession)
        Proxy.newProxyInstance(
            MailSessions.class.getClassLoader(), new Class<?>[] {PerfSession.class}, handler);
  }

  private static byte[] bytes(Object[] arguments) {
    long count = (long) arguments[1];
    int width = ((DataType) arguments[2]).size();
    return ((MemorySegment) arguments[0]).asSlice(0, count * width).toArray(ValueLayout.JAVA_BYTE);
  }

  private void send(int rank, int peer, byte[] message) {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < sendNanos) {
      LockSupport.parkNanos(sendNanos);
    }
    mostSends.accumulateAndGet(sends.incrementAndGet(), Math::max);
    mail.get(rank * size + peer).add(message);
  }

  private byte[][] exchange(int rank, byte[] mine) {
    exchanged[rank] = mine;
    meet();
    byte[][] all = exchanged.clone();
    sends.set(0); // no rank sends before it has left the second meeting
    meet();
    return all;
  }

  private void meet() {
    try {
      barrier.await(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("another rank has failed", e);
    }
  }
}
