// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls functions that only a native collective network has, as {@link NativeCalls} does. */
final class CollCalls {
  private static final MethodHandle PLP = NativeCalls.handle("plp");
  private static final MethodHandle PIIPP = NativeCalls.handle("piipp");
  private static final MethodHandle IIP = NativeCalls.handle("iip");
  private static final MethodHandle PPPIIIPPP = NativeCalls.handle("pppiiippp");
  private static final MethodHandle PPPLIIPPP = NativeCalls.handle("pppliippp");
  private static final MethodHandle PPIPLLLPP = NativeCalls.handle("ppiplllpp");
  private static final MethodHandle PIPPLLLIIPP = NativeCalls.handle("pippllliipp");

  private CollCalls() {}

  static int plp(MemorySegment function, long a, long b, long c) {
    try {
      return (int) PLP.invokeExact(function, a, b, c);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int piipp(MemorySegment function, long a, int b, int c, long d, long e) {
    try {
      return (int) PIIPP.invokeExact(function, a, b, c, d, e);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int iip(MemorySegment function, int a, int b, long c) {
    try {
      return (int) IIP.invokeExact(function, a, b, c);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int pppiiippp(
      MemorySegment function, long a, long b, long c, int d, int e, int f, long g, long h, long i) {
    try {
      return (int) PPPIIIPPP.invokeExact(function, a, b, c, d, e, f, g, h, i);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int pppliippp(
      MemorySegment function,
      long a,
      long b,
      long c,
      long d,
      int e,
      int f,
      long g,
      long h,
      long i) {
    try {
      return (int) PPPLIIPPP.invokeExact(function, a, b, c, d, e, f, g, h, i);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int ppiplllpp(
      MemorySegment function,
      long a,
      long b,
      int c,
      long d,
      long e,
      long f,
      long g,
      long h,
      long i) {
    try {
      return (int) PPIPLLLPP.invokeExact(function, a, b, c, d, e, f, g, h, i);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int pippllliipp(
      MemorySegment function,
      long a,
      int b,
      long c,
      long d,
      long e,
      long f,
      long g,
      int h,
      int i,
      long j,
      long k) {
    try {
      return (int) PIPPLLLIIPP.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }
}
