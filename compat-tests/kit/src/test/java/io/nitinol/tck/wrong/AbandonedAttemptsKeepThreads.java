// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Has a thread for each attempt, which ends when the attempt does. */
@Breaks("NET-CONN-19")
public final class AbandonedAttemptsKeepThreads extends WrongNet {

  private static final long ATTEMPT = 112;

  private final Map<Long, CountDownLatch> threads = new ConcurrentHashMap<>();

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    long before =
        handle.byteSize() < HANDLE_MAXSIZE
            ? 0
            : handle.get(ValueLayout.JAVA_LONG_UNALIGNED, ATTEMPT);
    @Nullable SendComm comm = null;
    boolean underWay = false;
    try {
      comm = net.connect(device, handle);
      underWay = comm == null;
    } finally {
      if (!underWay && threads.containsKey(before)) {
        threads.remove(before).countDown();
      }
    }
    if (underWay) {
      threads.computeIfAbsent(
          handle.get(ValueLayout.JAVA_LONG_UNALIGNED, ATTEMPT), this::startThread);
    }
    return comm;
  }

  private CountDownLatch startThread(long attempt) {
    CountDownLatch end = new CountDownLatch(1);
    Thread.ofPlatform()
        .daemon()
        .name(name() + " connect")
        .start(() -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    return end;
  }
}
