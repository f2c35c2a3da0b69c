// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.tuner;

import io.nitinol.net.nativeabi.ffi.Signature;
import io.nitinol.net.nativeabi.plugin.NativeCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls functions of a native tuner, one method for each parameter list, whose letters are those of
 * {@link Signature}; a pointer is its address.
 */
final class TunerCalls {
  private static final MethodHandle P = NativeCalls.handle("p");
  private static final MethodHandle LLPP = NativeCalls.handle("llpp");
  private static final MethodHandle PLLLPPP = NativeCalls.handle("plllppp");
  private static final MethodHandle PILIIIPPP = NativeCalls.handle("piliiippp");
  private static final MethodHandle PILIPIIP = NativeCalls.handle("pilipiip");
  private static final MethodHandle PILIPIIIP = NativeCalls.handle("pilipiiip");

  private TunerCalls() {}

  static int p(MemorySegment function, long a) {
    try {
      return (int) P.invokeExact(function, a);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int llpp(MemorySegment function, long a, long b, long c, long d) {
    try {
      return (int) LLPP.invokeExact(function, a, b, c, d);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int plllppp(
      MemorySegment function, long a, long b, long c, long d, long e, long f, long g) {
    try {
      return (int) PLLLPPP.invokeExact(function, a, b, c, d, e, f, g);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int piliiippp(
      MemorySegment function, long a, int b, long c, int d, int e, int f, long g, long h, long i) {
    try {
      return (int) PILIIIPPP.invokeExact(function, a, b, c, d, e, f, g, h, i);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int pilipiip(
      MemorySegment function, long a, int b, long c, int d, long e, int f, int g, long h) {
    try {
      return (int) PILIPIIP.invokeExact(function, a, b, c, d, e, f, g, h);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int pilipiiip(
      MemorySegment function, long a, int b, long c, int d, long e, int f, int g, int h, long i) {
    try {
      return (int) PILIPIIIP.invokeExact(function, a, b, c, d, e, f, g, h, i);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }
}
