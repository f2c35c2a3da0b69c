// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.profiler;

import io.nitinol.net.nativeabi.ffi.Signature;
import io.nitinol.net.nativeabi.plugin.NativeCalls;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls functions of a native profiler, one method for each parameter list, whose letters are those
 * of {@link Signature}; a pointer is its address.
 */
final class ProfilerCalls {
  private static final MethodHandle P = NativeCalls.handle("p");
  private static final MethodHandle PP = NativeCalls.handle("pp");
  private static final MethodHandle PPP = NativeCalls.handle("ppp");
  private static final MethodHandle PIP = NativeCalls.handle("pip");
  private static final MethodHandle PPPLIIIP = NativeCalls.handle("pppliiip");
  private static final MethodHandle PLPPIIIP = NativeCalls.handle("plppiiip");

  private ProfilerCalls() {}

  static int p(MemorySegment function, long a) {
    try {
      return (int) P.invokeExact(function, a);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int pp(MemorySegment function, long a, long b) {
    try {
      return (int) PP.invokeExact(function, a, b);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int ppp(MemorySegment function, long a, long b, long c) {
    try {
      return (int) PPP.invokeExact(function, a, b, c);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int pip(MemorySegment function, long a, int b, long c) {
    try {
      return (int) PIP.invokeExact(function, a, b, c);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int pppliiip(
      MemorySegment function, long a, long b, long c, long d, int e, int f, int g, long h) {
    try {
      return (int) PPPLIIIP.invokeExact(function, a, b, c, d, e, f, g, h);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }

  static int plppiiip(
      MemorySegment function, long a, long b, long c, long d, int e, int f, int g, long h) {
    try {
      return (int) PLPPIIIP.invokeExact(function, a, b, c, d, e, f, g, h);
    } catch (Throwable thrown) {
      throw NativeCalls.unexpected(thrown);
    }
  }
}
