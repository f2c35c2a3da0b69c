// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.SendComm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Goes on with the connects of hosts up to version 4, which call but once. There, connect must not
 * wait for the other side to accept: a ring of ranks that all connect first would wait for ever. A
 * thread drives them, which is there while there are any; a plugin ends each attempt within its own
 * bound.
 */
final class ExportConnecting {
  private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(100);
  private static final List<Attempt> ATTEMPTS = new ArrayList<>();
  private static boolean running;

  /** A connect that has not led to a comm. */
  private record Attempt(NetContext context, int device, HandleBuffer handle, SendSlot slot) {

    /** Calls connect; true when that was the last time. */
    boolean advance() {
      try {
        SendComm made =
            Exported.net().connect(context, device, handle.bytes(), new @Nullable DeviceHandle[1]);
        if (made == null) {
          return false;
        }
        slot.connected(made);
      } catch (NetException e) {
        slot.failed(e);
      } catch (Throwable e) {
        slot.failed(
            new NetException(
                ResultCode.INTERNAL_ERROR, "connect failed, a defect of the plugin: " + e, e));
      }
      return true;
    }
  }

  private ExportConnecting() {}

  /**
   * Drives a connect until {@code slot} has a comm or a failure.
   *
   * @param handle the attempt's own bytes, released in the end
   */
  static synchronized void goOn(
      NetContext context, int device, HandleBuffer handle, SendSlot slot) {
    ATTEMPTS.add(new Attempt(context, device, handle, slot));
    if (!running) {
      running = true;
      Thread.ofPlatform().daemon().name("Nitinol connects").start(ExportConnecting::drive);
    }
  }

  private static void drive() {
    List<Attempt> now = remaining(List.of());
    while (!now.isEmpty()) {
      List<Attempt> over = new ArrayList<>();
      for (Attempt attempt : now) {
        if (attempt.advance()) {
          over.add(attempt);
          attempt.handle.release();
        }
      }
      LockSupport.parkNanos(PAUSE);
      now = remaining(over);
    }
  }

  /** Returns the attempts but for those that are over; where there are none the thread ends. */
  private static synchronized List<Attempt> remaining(List<Attempt> over) {
    ATTEMPTS.removeAll(over);
    running = !ATTEMPTS.isEmpty();
    return List.copyOf(ATTEMPTS);
  }
}
