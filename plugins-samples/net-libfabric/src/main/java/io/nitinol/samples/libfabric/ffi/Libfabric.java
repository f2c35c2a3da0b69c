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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The library {@code libfabric.so.1}: loaded once, for ever, or absent with a reason. */
public final class Libfabric {
  private Libfabric() {}

  /** The name by which the library is asked for; libfabric 2 has it too. */
  public static final String NAME = "libfabric.so.1";

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
   */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "IPATH_NO_BACKTRACE", "1",
          "HFI_NO_BACKTRACE", "1",
          "FI_UNIVERSE_SIZE", "1",
          "FI_OFI_RXM_MSG_RX_SIZE", "128",
          "FI_OFI_RXM_MSG_TX_SIZE", "128",
          "FI_OFI_RXM_BUFFER_SIZE", "4096");

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
   * Lets the sender of a long message write it, instead of the receiver reading it, where {@code
   * ofi_rxm} carries it. Libfabric looks at this at the first {@code fi_getinfo}, and both sides have
   * to agree.
   *
   * <p>In version 1.17 an endpoint of {@code tcp;ofi_rxm} that is closed while half of such a message
   * has been read ends the process with SIGSEGV: {@code tcpx_op_read_rsp} leaves the read in the
   * queue of reads, so the close cancels it twice, the second time without its context (mended in
   * 1.18).
   */
  public static void letSendersWrite() {
    set(Map.of("FI_OFI_RXM_USE_RNDV_WRITE", "1"));
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
