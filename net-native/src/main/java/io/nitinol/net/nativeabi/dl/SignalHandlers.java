// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.dl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * The handlers of signals that the process has at a moment. Native code that starts may set its own
 * (UCX does so when it is loaded, to print where a program has crashed); the JVM's are part of how
 * it runs, and without them the next null pointer that Java code meets ends the process. So code
 * that loads or starts such a library puts back what was there.
 */
public final class SignalHandlers {
  /** The signals that have a number and a handler everywhere, but for the real-time ones. */
  private static final int LAST = 31;

  /** More than {@code struct sigaction} has; its handler comes first. */
  private static final long ROOM = 256;

  /** {@code SIG_DFL} and {@code SIG_IGN} are 0 and 1: nobody's code. */
  private static final long FIRST_ADDRESS = 2;

  private static final String[] NAMES = {
    "", "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
    "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU",
    "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS"
  };

  private static final MethodHandle SIGACTION = sigaction();

  private final MemorySegment handlers;

  private SignalHandlers(MemorySegment handlers) {
    this.handlers = handlers;
  }

  /** Reads all handlers, into memory of {@code arena}. */
  public static SignalHandlers now(Arena arena) {
    MemorySegment handlers = arena.allocate(ROOM * (LAST + 1), 16);
    for (int signal = 1; signal <= LAST; signal++) {
      // It fails for a signal that has none; zeroes stay, which say so too.
      call(signal, MemorySegment.NULL, handlers.asSlice(ROOM * signal, ROOM));
    }
    return new SignalHandlers(handlers);
  }

  /**
   * Puts back each handler that was set and is another one now. What was left to the system then,
   * or ignored, stays as it has become.
   *
   * @return the signals whose handlers are back, such as {@code SIGSEGV}
   */
  public List<String> restore() {
    List<String> back = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      SignalHandlers now = now(arena);
      for (int signal = 1; signal <= LAST; signal++) {
        long before = handler(signal);
        if (Long.compareUnsigned(before, FIRST_ADDRESS) >= 0
            && before != now.handler(signal)
            && call(signal, handlers.asSlice(ROOM * signal, ROOM), MemorySegment.NULL)) {
          back.add("SIG" + NAMES[signal]);
        }
      }
    }
    return back;
  }

  /** Returns the address of the handler of a signal. */
  long handler(int signal) {
    return handlers.get(JAVA_LONG, ROOM * signal);
  }

  private static boolean call(int signal, MemorySegment set, MemorySegment get) {
    try {
      return (int) SIGACTION.invokeExact(signal, set, get) == 0;
    } catch (Throwable e) {
      throw e instanceof Error error ? error : new AssertionError("a native call threw", e);
    }
  }

  private static MethodHandle sigaction() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("sigaction"),
        FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  }
}
