// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections under way of one instance, by the number that each keeps in its copy of the
 * handle (NET-CONN-06). Any number of threads may connect (NET-THREAD-01).
 */
final class MemoryAttempts {
  /** When an attempt ends: half the CONNECT bound, since on one host no peer needs as long. */
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(30);

  private static final long SWEEP_PERIOD = TimeUnit.SECONDS.toNanos(1);

  private final Object plugin;
  private final LongSupplier clock;
  private final Map<Long, MemoryAttempt> attempts = new ConcurrentHashMap<>();
  private volatile long nextSweep;

  MemoryAttempts(Object plugin, LongSupplier clock) {
    this.plugin = plugin;
    this.clock = clock;
    this.nextSweep = clock.getAsLong();
  }

  /** Starts the attempt that these bytes are for, or takes it a step on. */
  @Nullable MemorySender connect(Host host, String device, MemorySegment handle) {
    long now = clock.getAsLong();
    long number = MemoryListenHandle.attempt(handle);
    dropAbandoned(now, number);
    MemoryAttempt attempt = attempts.get(number);
    if (number == 0) {
      MemoryListenHandle target = MemoryListenHandle.readFrom(handle);
      number = MemoryListenHandle.randomNumber();
      attempt = MemoryAttempt.start(host, device, target, number, now + LIMIT);
      attempts.put(number, attempt);
      MemoryListenHandle.setAttempt(handle, number);
    } else if (attempt == null) {
      throw MemoryFailures.argument("a handle in which an attempt is noted that is not under way");
    }
    MemorySender sender;
    try {
      sender = attempt.advance(plugin, now);
    } catch (RuntimeException e) {
      attempts.remove(number);
      attempt.abandon();
      throw e;
    }
    if (sender != null) {
      attempts.remove(number);
      MemoryListenHandle.setAttempt(handle, 0); // the bytes are as the listener left them
    }
    return sender;
  }

  /**
   * Frees what other attempts hold that nobody calls for any more (NET-CONN-19). Looking at all of
   * them now and then is enough: they end well before they must.
   */
  private void dropAbandoned(long now, long current) {
    if (now - nextSweep < 0) {
      return;
    }
    nextSweep = now + SWEEP_PERIOD;
    attempts
        .entrySet()
        .removeIf(each -> {
          boolean abandoned = each.getKey() != current && each.getValue().isAbandoned(now);
          if (abandoned) {
            each.getValue().abandon();
          }
          return abandoned;
        });
  }
}
