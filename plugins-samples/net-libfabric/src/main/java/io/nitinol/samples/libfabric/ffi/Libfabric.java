// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The library {@code libfabric.so.1}: loaded once, for ever, or absent with a reason. */
public final class Libfabric {
  private Libfabric() {}

  /** The name by which the library is asked for; libfabric 2 has it too. */
  public static final String NAME = "libfabric.so.1";

  /** The longest message in bytes that {@code ofi_rxm} sends by way of its own buffers. */
  public static final String BUFFER_SIZE = "FI_OFI_RXM_BUFFER_SIZE";

  /** What {@link #BUFFER_SIZE} is set to. */
  public static final String BUFFER_BYTES = "4096";

  /** The longest message in bytes that {@code tcp} sends without asking first. */
  public static final String EAGER_LIMIT = "FI_OFI_RXM_EAGER_LIMIT";

  /** What {@link #EAGER_LIMIT} is set to. */
  public static final String EAGER_BYTES = "1073741824";

  /** Whether the sender of a long message writes it, or the receiver reads it. */
  public static final String SENDERS_WRITE = "FI_OFI_RXM_USE_RNDV_WRITE";

  private static final List<String> FUNCTIONS =
      List.of("fi_getinfo", "fi_freeinfo", "fi_dupinfo", "fi_version", "fi_strerror", "fi_fabric");

  /**
   * What the library reads from the environment when it is loaded. A variable that the user has set
   * stays as it is.
   *
   * <p>Libfabric may be linked with PSM and PSM2. When these libraries are loaded they take SIGSEGV,
   * which the JVM needs for itself, unless the first two are set.
   *
   * <p>The third says how many peers to expect. Each endpoint here has one, and libfabric would
   * expect many: {@code ofi_rxm} then makes queues of 25 MB for each comm, of which every
   * message touches 96 bytes more.
   *
   * <p>{@code FI_OFI_RXM_MSG_RX_SIZE} and {@code FI_OFI_RXM_MSG_TX_SIZE} say for how many messages {@code ofi_rxm} makes room in each direction at first.
   * Without them each endpoint takes 80 MB and five times as long to open. {@code FI_OFI_RXM_BUFFER_SIZE} says
   * how long the room for each message is, of which there are 2048 in any case. With libfabric's
   * 16384 bytes an endpoint takes 18 MB and 80 ms to open, during which {@code connect} or {@code
   * accept} does not return; with 4096 it takes 6 MB and 22 ms.
   *
   * <p>{@code FI_OFI_RXM_EAGER_LIMIT} says up to which length a message over {@code tcp} is sent at once. Otherwise it
   * is that of the buffers, and a longer one takes four messages: a request, the answer, the data, and word that they
   * are there. Here a receive is always posted before its message is sent, so {@code tcp} puts the data where they
   * belong, and no buffer holds them.
   *
   * <p>{@code FI_OFI_RXM_USE_SRX} gives all connections of an endpoint one queue of receives, as
   * {@code tcp} has in any case. Without it {@code ofi_rxm} over {@code verbs} puts the buffer of
   * a message that is unread when the endpoint is closed back on the connection that it has just
   * freed, which ends the process with SIGSEGV (1.17; the code is the same in 2.6).
   */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "IPATH_NO_BACKTRACE", "1",
          "HFI_NO_BACKTRACE", "1",
          "FI_UNIVERSE_SIZE", "1",
          "FI_OFI_RXM_MSG_RX_SIZE", "128",
          "FI_OFI_RXM_MSG_TX_SIZE", "128",
          BUFFER_SIZE, BUFFER_BYTES,
          EAGER_LIMIT, EAGER_BYTES,
          "FI_OFI_RXM_USE_SRX", "1");

  /** What the variables were at the first {@link #settle}; empty before it. */
  private static final Map<String, @Nullable String> SETTLED = new HashMap<>();

  private static final @Nullable SymbolLookup LIBRARY;
  private static final @Nullable String ABSENCE;

  static {
    SymbolLookup library = null;
    String absence = null;
    if (!Libfabric.class.getModule().isNativeAccessEnabled()) {
      // Asked before any restricted call, so that nothing is printed on the application's stderr.
      absence =
          "native access is not enabled for "
              + (Libfabric.class.getModule().isNamed()
                  ? "io.nitinol.samples.libfabric"
                  : "ALL-UNNAMED")
              + " (java --enable-native-access)";
    } else {
      try {
        set(ENVIRONMENT);
        library = SymbolLookup.libraryLookup(NAME, Arena.global());
        for (String function : FUNCTIONS) {
          if (library.find(function).isEmpty()) {
            absence = NAME + " has no function " + function;
            break;
          }
        }
      } catch (IllegalArgumentException e) {
        absence = NAME + " cannot be loaded (Debian: libfabric1, RHEL: libfabric)";
      }
    }
    LIBRARY = absence == null ? library : null;
    ABSENCE = absence;
  }

  /** Returns why no function may be called, or null where all may. */
  public static @Nullable String absence() {
    return ABSENCE;
  }

  /**
   * Does what is to be done before the first {@code fi_getinfo}, at which libfabric reads most of
   * its variables. Further calls change nothing, as a variable that is set then would not.
   *
   * <p>The sender of a long message may write it, or the receiver read it, and both sides have to
   * agree. In version 1.17 an endpoint of {@code tcp;ofi_rxm} that is closed while half of such a
   * message has been read ends the process with SIGSEGV: {@code tcpx_op_read_rsp} leaves the read
   * in the queue of reads, so the close cancels it twice, the second time without its context
   * (mended in 1.18).
   *
   * @param sendersWrite whether senders write, unless the variable is set
   */
  public static synchronized void settle(boolean sendersWrite) {
    if (SETTLED.isEmpty()) {
      if (sendersWrite) {
        set(Map.of(SENDERS_WRITE, "1"));
      }
      for (String variable : List.of(BUFFER_SIZE, EAGER_LIMIT, SENDERS_WRITE)) {
        SETTLED.put(variable, get(variable));
      }
    }
  }

  /**
   * Returns what libfabric has found in a variable.
   *
   * @param variable one of those that have a name here
   * @return its value; null where it is not set
   */
  public static synchronized @Nullable String settled(String variable) {
    if (!SETTLED.containsKey(variable)) {
      throw new IllegalStateException(variable + " was not read");
    }
    return SETTLED.get(variable);
  }

  /** The environment of C, which Java has a copy of from before this class has set anything. */
  private static @Nullable String get(String variable) {
    Optional<MemorySegment> function = Linker.nativeLinker().defaultLookup().find("getenv");
    if (function.isEmpty()) {
      return System.getenv(variable);
    }
    MethodHandle getenv =
        Linker.nativeLinker()
            .downcallHandle(function.get(), FunctionDescriptor.of(ADDRESS, ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = (MemorySegment) getenv.invokeExact(arena.allocateFrom(variable));
      return value.address() == 0 ? null : value.reinterpret(Long.MAX_VALUE).getString(0);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  private static void set(Map<String, String> variables) {
    Optional<MemorySegment> function = Linker.nativeLinker().defaultLookup().find("setenv");
    if (function.isEmpty()) {
      return;
    }
    MethodHandle setenv =
        Linker.nativeLinker()
            .downcallHandle(
                function.get(), FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      for (Map.Entry<String, String> variable : variables.entrySet()) {
        int ignored =
            (int)
                setenv.invokeExact(
                    arena.allocateFrom(variable.getKey()),
                    arena.allocateFrom(variable.getValue()),
                    0);
      }
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  static MemorySegment required(String function) {
    SymbolLookup library = LIBRARY;
    if (library == null) {
      throw new UnsatisfiedLinkError(function + ": " + ABSENCE);
    }
    return library.findOrThrow(function);
  }
}
