// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The library {@code libibverbs.so.1}: loaded once, for ever, or absent with a reason. */
public final class Libibverbs {
  private Libibverbs() {}

  /** The name by which the library is asked for. */
  public static final String NAME = "libibverbs.so.1";

  /** What a function of {@link verbs_h} takes as its first argument: a segment for errno. */
  public static final StructLayout ERRNO_LAYOUT = Linker.Option.captureStateLayout();

  private static final int RTLD_NOW = 2;

  private static final List<String> FUNCTIONS =
      List.of(
          "ibv_get_device_list", "ibv_free_device_list", "ibv_get_device_name",
          "ibv_get_device_guid", "ibv_open_device", "ibv_close_device", "ibv_get_async_event",
          "ibv_ack_async_event", "ibv_query_device", "ibv_query_port", "ibv_query_gid",
          "ibv_query_pkey", "ibv_alloc_pd", "ibv_dealloc_pd", "ibv_reg_mr", "ibv_dereg_mr",
          "ibv_create_comp_channel", "ibv_destroy_comp_channel", "ibv_create_cq", "ibv_destroy_cq",
          "ibv_get_cq_event", "ibv_ack_cq_events", "ibv_create_qp", "ibv_modify_qp", "ibv_query_qp",
          "ibv_destroy_qp", "ibv_fork_init", "ibv_node_type_str", "ibv_port_state_str",
          "ibv_event_type_str", "ibv_wc_status_str");

  private static final @Nullable SymbolLookup LIBRARY;
  private static final @Nullable String ABSENCE;
  private static final MemorySegment HANDLE;

  static {
    SymbolLookup library = null;
    String absence = null;
    MemorySegment handle = MemorySegment.NULL;
    if (!Libibverbs.class.getModule().isNativeAccessEnabled()) {
      // Asked before any restricted call, so that nothing is printed on the application's stderr.
      absence =
          "native access is not enabled for "
              + (Libibverbs.class.getModule().isNamed() ? "io.nitinol.net.ib" : "ALL-UNNAMED")
              + " (java --enable-native-access)";
    } else {
      try {
        library = SymbolLookup.libraryLookup(NAME, Arena.global());
        for (String function : FUNCTIONS) {
          if (library.find(function).isEmpty()) {
            absence = NAME + " has no function " + function;
            break;
          }
        }
        handle = open();
      } catch (IllegalArgumentException e) {
        absence = NAME + " cannot be loaded (Debian: libibverbs1, RHEL: libibverbs)";
      }
    }
    LIBRARY = absence == null ? library : null;
    ABSENCE = absence;
    HANDLE = handle;
  }

  /** Returns why no function may be called, or null where all may. */
  public static @Nullable String absence() {
    return ABSENCE;
  }

  /** Returns whether the library has an optional function in the version that introduced it. */
  public static boolean has(String function, String version) {
    return find(function, version).isPresent();
  }

  static MemorySegment required(String function) {
    SymbolLookup library = LIBRARY;
    if (library == null) {
      throw new UnsatisfiedLinkError(function + ": " + ABSENCE);
    }
    return library.findOrThrow(function);
  }

  static MemorySegment versioned(String function, String version) {
    return find(function, version)
        .orElseThrow(() -> new UnsatisfiedLinkError(function + "@" + version + " in " + NAME));
  }

  static MethodHandle capturing(MemorySegment function, FunctionDescriptor descriptor) {
    return Linker.nativeLinker()
        .downcallHandle(function, descriptor, Linker.Option.captureCallState("errno"));
  }

  /** A symbol lookup knows no versions; dlvsym does. */
  private static Optional<MemorySegment> find(String function, String version) {
    // Not every C library has it.
    Optional<MemorySegment> dlvsym = Linker.nativeLinker().defaultLookup().find("dlvsym");
    if (LIBRARY == null || HANDLE.address() == 0 || dlvsym.isEmpty()) {
      return Optional.empty();
    }
    MethodHandle lookup =
        Linker.nativeLinker()
            .downcallHandle(
                dlvsym.get(), FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment symbol =
          (MemorySegment)
              lookup.invokeExact(HANDLE, arena.allocateFrom(function), arena.allocateFrom(version));
      return symbol.address() == 0 ? Optional.empty() : Optional.of(symbol);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** The handle of the library that is loaded already; it is kept, as the library is. */
  private static MemorySegment open() {
    Optional<MemorySegment> dlopen = Linker.nativeLinker().defaultLookup().find("dlopen");
    if (dlopen.isEmpty()) {
      return MemorySegment.NULL;
    }
    MethodHandle open =
        Linker.nativeLinker()
            .downcallHandle(dlopen.get(), FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      return (MemorySegment) open.invokeExact(arena.allocateFrom(NAME), RTLD_NOW);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }
}
