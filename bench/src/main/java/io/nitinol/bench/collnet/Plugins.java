// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.collnet;

import io.nitinol.bench.WarningsOnStderr;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The plugins Socket and Switch, without core. */
final class Plugins {
  /** Where plugins say what is wrong. */
  static final DebugLogger LOG = new WarningsOnStderr();

  private static final long NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Net net =
      ServiceLoader.load(Net.class).stream()
          .map(ServiceLoader.Provider::get)
          .filter(each -> each.name().equals("Socket"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("the plugin Socket is not installed"));
  private final NetContext netContext = net.init(0, NetCommConfig.DEFAULT, LOG, null);

  Net net() {
    return net;
  }

  NetContext netContext() {
    return netContext;
  }

  static CollNet collNet() {
    return ServiceLoader.load(CollNet.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.name().equals("Switch"))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the plugin Switch is not installed"));
  }

  /** Calls again until there is something. */
  <T> T await(String what, Supplier<@Nullable T> call) {
    long deadline = System.nanoTime() + NANOS;
    Idle idle = new Idle();
    while (true) {
      T result = call.get();
      if (result != null) {
        return result;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IllegalStateException("waited 30 s for " + what);
      }
      idle.step(false);
    }
  }

  /** Returns handles as one line. */
  static String words(MemorySegment[] handles) {
    return Arrays.stream(handles)
        .map(each -> HexFormat.of().formatHex(each.toArray(ValueLayout.JAVA_BYTE)))
        .collect(Collectors.joining(" "));
  }

  /** Reads what {@link #words} returned. */
  static MemorySegment[] handles(@Nullable String words, Arena arena) {
    if (words == null) {
      throw new IllegalStateException("the other side has ended");
    }
    return Arrays.stream(words.split(" ", -1))
        .map(each -> arena.allocateFrom(ValueLayout.JAVA_BYTE, HexFormat.of().parseHex(each)))
        .toArray(MemorySegment[]::new);
  }
}
