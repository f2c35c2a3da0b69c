// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.Signature;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls functions of a native network plugin, one method for each parameter list, whose letters are
 * those of {@link Signature}; a pointer is its address. A call may wait in the plugin, which may
 * call the logger, so no call is a critical one.
 */
public final class NativeCalls {
  private static final MethodHandle P = handle("p");
  private static final MethodHandle PP = handle("pp");
  private static final MethodHandle IP = handle("ip");
  private static final MethodHandle IPP = handle("ipp");
  private static final MethodHandle PIPP = handle("pipp");
  private static final MethodHandle IPPP = handle("ippp");
  private static final MethodHandle IPPPP = handle("ipppp");
  private static final MethodHandle PIPPP = handle("pippp");
  private static final MethodHandle PPP = handle("ppp");
  private static final MethodHandle PPIIP = handle("ppiip");
  private static final MethodHandle PPLIP = handle("pplip");
  private static final MethodHandle PPLILIP = handle("pplilip");
  private static final MethodHandle PPIPP = handle("ppipp");
  private static final MethodHandle PPIIPP = handle("ppiipp");
  private static final MethodHandle PPLIPP = handle("pplipp");
  private static final MethodHandle PPLIPPP = handle("pplippp");
  private static final MethodHandle PIPPPPP = handle("pippppp");
  private static final MethodHandle PIPPPPPP = handle("pipppppp");
  private static final MethodHandle PPIP = handle("ppip");
  private static final MethodHandle PIPPPP = handle("pipppp");
  private static final MethodHandle PIP = handle("pip");
  private static final MethodHandle PLPPP = handle("plppp");

  private NativeCalls() {}

  /** Links one parameter list; the address of the function comes first. */
  public static MethodHandle handle(String parameters) {
    return Linker.nativeLinker().downcallHandle(new Signature(parameters).flatDescriptor());
  }

  /** Returns what a call throws that cannot throw: only an Error of the JVM is left. */
  public static Error unexpected(Throwable e) {
    return e instanceof Error error ? error : new AssertionError("a native call threw", e);
  }

  static int p(MemorySegment function, long a) {
    try {
      return (int) P.invokeExact(function, a);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int pp(MemorySegment function, long a, long b) {
    try {
      return (int) PP.invokeExact(function, a, b);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int ip(MemorySegment function, int a, long b) {
    try {
      return (int) IP.invokeExact(function, a, b);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int ipp(MemorySegment function, int a, long b, long c) {
    try {
      return (int) IPP.invokeExact(function, a, b, c);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int pipp(MemorySegment function, long a, int b, long c, long d) {
    try {
      return (int) PIPP.invokeExact(function, a, b, c, d);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int ippp(MemorySegment function, int a, long b, long c, long d) {
    try {
      return (int) IPPP.invokeExact(function, a, b, c, d);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int ipppp(MemorySegment function, int a, long b, long c, long d, long e) {
    try {
      return (int) IPPPP.invokeExact(function, a, b, c, d, e);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int pippp(MemorySegment function, long a, int b, long c, long d, long e) {
    try {
      return (int) PIPPP.invokeExact(function, a, b, c, d, e);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int ppp(MemorySegment function, long a, long b, long c) {
    try {
      return (int) PPP.invokeExact(function, a, b, c);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int ppiip(MemorySegment function, long a, long b, int c, int d, long e) {
    try {
      return (int) PPIIP.invokeExact(function, a, b, c, d, e);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int pplip(MemorySegment function, long a, long b, long c, int d, long e) {
    try {
      return (int) PPLIP.invokeExact(function, a, b, c, d, e);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int pplilip(MemorySegment function, long a, long b, long c, int d, long e, int f, long g) {
    try {
      return (int) PPLILIP.invokeExact(function, a, b, c, d, e, f, g);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int ppipp(MemorySegment function, long a, long b, int c, long d, long e) {
    try {
      return (int) PPIPP.invokeExact(function, a, b, c, d, e);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int ppiipp(MemorySegment function, long a, long b, int c, int d, long e, long f) {
    try {
      return (int) PPIIPP.invokeExact(function, a, b, c, d, e, f);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int pplipp(MemorySegment function, long a, long b, long c, int d, long e, long f) {
    try {
      return (int) PPLIPP.invokeExact(function, a, b, c, d, e, f);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int pplippp(
      MemorySegment function, long a, long b, long c, int d, long e, long f, long g) {
    try {
      return (int) PPLIPPP.invokeExact(function, a, b, c, d, e, f, g);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int pippppp(
      MemorySegment function, long a, int b, long c, long d, long e, long f, long g) {
    try {
      return (int) PIPPPPP.invokeExact(function, a, b, c, d, e, f, g);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int pipppppp(
      MemorySegment function, long a, int b, long c, long d, long e, long f, long g, long h) {
    try {
      return (int) PIPPPPPP.invokeExact(function, a, b, c, d, e, f, g, h);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int ppip(MemorySegment function, long a, long b, int c, long d) {
    try {
      return (int) PPIP.invokeExact(function, a, b, c, d);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int pipppp(MemorySegment function, long a, int b, long c, long d, long e, long f) {
    try {
      return (int) PIPPPP.invokeExact(function, a, b, c, d, e, f);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int pip(MemorySegment function, long a, int b, long c) {
    try {
      return (int) PIP.invokeExact(function, a, b, c);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }

  static int plppp(MemorySegment function, long a, long b, long c, long d, long e) {
    try {
      return (int) PLPPP.invokeExact(function, a, b, c, d, e);
    } catch (Throwable thrown) {
      throw unexpected(thrown);
    }
  }
}
