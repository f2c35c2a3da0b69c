// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Hands on what a process prints, line by line, in a thread of its own, until its end. */
final class LinePump {
  /** Longer lines are cut in pieces, so that a process cannot fill the launcher's memory. */
  static final int MAX_LINE = 64 * 1024;

  private static final long POLL_MILLIS = 10;

  private final Thread thread;

  /**
   * Starts a pump.
   *
   * @param name the thread's name
   * @param in what the process prints
   * @param sink gets each line without its end; called from the pump's thread
   */
  LinePump(String name, InputStream in, Consumer<String> sink) {
    thread = Thread.ofPlatform().daemon().name(name).start(() -> pump(in, sink));
  }

  /** Waits as below, for everything. */
  void await(long millis) {
    await(millis, () -> false);
  }

  /**
   * Waits until everything that was printed has been handed on.
   *
   * @param millis how long at most: a grandchild may hold the pipe open after the process has ended
   * @param enough whether to wait no longer
   */
  void await(long millis, BooleanSupplier enough) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    try {
      while (thread.isAlive() && !enough.getAsBoolean() && System.nanoTime() < deadline) {
        thread.join(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void pump(InputStream in, Consumer<String> sink) {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    try (in) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        for (int i = 0; i < n; i++) {
          if (buffer[i] == '\n' || line.size() == MAX_LINE) {
            emit(line, sink);
          }
          if (buffer[i] != '\n') {
            line.write(buffer[i]);
          }
        }
      }
    } catch (IOException e) {
      sink.accept("(reading this rank's output failed: " + e + ")");
    }
    if (line.size() > 0) {
      emit(line, sink);
    }
  }

  private static void emit(ByteArrayOutputStream line, Consumer<String> sink) {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    sink.accept(text.endsWith("\r") ? text.substring(0, text.length() - 1) : text);
  }
}
