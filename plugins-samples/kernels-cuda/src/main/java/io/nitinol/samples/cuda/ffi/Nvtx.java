// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Ranges on the time line of a tool such as Nsight Systems or Nsight Compute. Without a tool a range
 * costs a look at a constant.
 *
 * <p>NVTX 3 has no library: its headers ask the tool for functions, and so does this class. A tool
 * puts the path of its library into {@code NVTX_INJECTION64_PATH}. That library asks for a table of
 * pointers to function pointers for each part of NVTX and fills in those that it wants to be called.
 * Of these the two for ranges of a thread are called. A library that cannot be loaded is left out, as
 * the headers do ({@code nvtx3/nvtxDetail/nvtxInit.h}).
 *
 * <p>Threads: any; a range begins and ends on one thread of the system.
 */
public final class Nvtx {
  /** The variable by which a tool names its library. */
  public static final String INJECTION = "NVTX_INJECTION64_PATH";

  /** {@code NVTX_CBID_..._SIZE} of the modules, by {@code NvtxCallbackModule}. */
  private static final int[] SIZES = {0, 16, 9, 15, 7, 16, 7};

  private static final int MODULE_CORE = 1;
  private static final int RANGE_PUSH_A = 9; // NVTX_CBID_CORE_...
  private static final int RANGE_POP = 11;

  private static final int EXPORT_CALLBACKS = 1; // NVTX_ETID_...
  private static final int EXPORT_VERSION_INFO = 3;
  private static final int VERSION = 3;

  private static final AddressLayout POINTER = ValueLayout.ADDRESS;
  private static final AddressLayout POINTER_TO_POINTER =
      ValueLayout.ADDRESS.withTargetLayout(ValueLayout.ADDRESS);
  private static final AddressLayout POINTER_TO_INT =
      ValueLayout.ADDRESS.withTargetLayout(ValueLayout.JAVA_INT);

  private static final class Holder {
    static final @Nullable Nvtx TOOL = attach(System.getenv(INJECTION));
    static final @Nullable MethodHandle PUSH =
        function(TOOL, RANGE_PUSH_A, FunctionDescriptor.of(ValueLayout.JAVA_INT, POINTER));
    static final @Nullable MethodHandle POP =
        function(TOOL, RANGE_POP, FunctionDescriptor.of(ValueLayout.JAVA_INT));
    static final boolean THERE = PUSH != null && POP != null;
  }

  private final MemorySegment[] tables = new MemorySegment[SIZES.length];
  private final MemorySegment callbacks;
  private final MemorySegment versionInfo;

  /** Makes the tables, in memory that is never freed: the tool keeps their addresses. */
  private Nvtx() throws ReflectiveOperationException {
    Arena arena = Arena.global();
    for (int module = MODULE_CORE; module < SIZES.length; module++) {
      MemorySegment functions = arena.allocate(POINTER, SIZES[module]);
      MemorySegment table = arena.allocate(POINTER, SIZES[module] + 1L);
      for (int i = 1; i < SIZES[module]; i++) {
        table.setAtIndex(POINTER, i, functions.asSlice(i * POINTER.byteSize()));
      }
      tables[module] = table;
    }
    callbacks = arena.allocate(2 * POINTER.byteSize(), POINTER.byteAlignment());
    callbacks.set(ValueLayout.JAVA_LONG, 0, callbacks.byteSize());
    callbacks.set(
        POINTER,
        POINTER.byteSize(),
        stub(
            "table",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, POINTER_TO_POINTER, POINTER_TO_INT)));
    versionInfo = arena.allocate(3 * POINTER.byteSize(), POINTER.byteAlignment());
    versionInfo.set(ValueLayout.JAVA_LONG, 0, versionInfo.byteSize());
    versionInfo.set(ValueLayout.JAVA_INT, POINTER.byteSize(), VERSION);
    versionInfo.set(
        POINTER,
        2 * POINTER.byteSize(),
        stub("toolHasVersion", FunctionDescriptor.ofVoid(ValueLayout.JAVA_INT)));
  }

  private MemorySegment stub(String method, FunctionDescriptor descriptor)
      throws ReflectiveOperationException {
    MethodType type = descriptor.toMethodType();
    MethodHandle target = MethodHandles.lookup().findVirtual(Nvtx.class, method, type).bindTo(this);
    return Linker.nativeLinker().upcallStub(target, descriptor, Arena.global());
  }

  /** Returns the tables that a tool has filled in; null where there is no tool that can be used. */
  private static @Nullable Nvtx attach(@Nullable String library) {
    if (library == null || !Nvtx.class.getModule().isNativeAccessEnabled()) {
      return null;
    }
    try {
      Nvtx nvtx = new Nvtx();
      return nvtx.ask(library) ? nvtx : null;
    } catch (IllegalArgumentException e) {
      return null; // no library of this path can be loaded
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("NVTX", e); // a method of this class is missing
    }
  }

  /** Lets a tool fill in the tables. Returns whether it does. */
  private boolean ask(String library) throws ReflectiveOperationException {
    MemorySegment initialize =
        SymbolLookup.libraryLookup(library, Arena.global())
            .find("InitializeInjectionNvtx2")
            .orElse(MemorySegment.NULL);
    if (initialize.equals(MemorySegment.NULL)) {
      return false;
    }
    MethodHandle call =
        Linker.nativeLinker()
            .downcallHandle(initialize, FunctionDescriptor.of(ValueLayout.JAVA_INT, POINTER));
    MemorySegment table =
        stub("exportTable", FunctionDescriptor.of(POINTER, ValueLayout.JAVA_INT));
    try {
      return (int) call.invokeExact(table) != 0;
    } catch (Throwable e) {
      throw new IllegalArgumentException(INJECTION + "=" + library, e);
    }
  }

  // Called by the tool: nvtxGetExportTable.
  private MemorySegment exportTable(int id) {
    return switch (id) {
      case EXPORT_CALLBACKS -> callbacks;
      case EXPORT_VERSION_INFO -> versionInfo;
      default -> MemorySegment.NULL;
    };
  }

  // Called by the tool: GetModuleFunctionTable of NvtxExportTableCallbacks.
  private int table(int module, MemorySegment table, MemorySegment size) {
    if (module < MODULE_CORE || module >= SIZES.length) {
      return 0;
    }
    if (!table.equals(MemorySegment.NULL)) {
      table.set(POINTER, 0, tables[module]);
    }
    if (!size.equals(MemorySegment.NULL)) {
      size.set(ValueLayout.JAVA_INT, 0, SIZES[module]);
    }
    return 1;
  }

  // Called by the tool: SetInjectionNvtxVersion of NvtxExportTableVersionInfo, for workarounds.
  private void toolHasVersion(int version) {}

  private static @Nullable MethodHandle function(
      @Nullable Nvtx tool, int id, FunctionDescriptor descriptor) {
    if (tool == null) {
      return null;
    }
    MemorySegment function =
        tool.tables[MODULE_CORE].getAtIndex(POINTER_TO_POINTER, id).get(POINTER, 0);
    return function.equals(MemorySegment.NULL)
        ? null
        : Linker.nativeLinker().downcallHandle(function, descriptor);
  }

  /** Returns whether a tool wants ranges. */
  public static boolean isThere() {
    return Holder.THERE;
  }

  /** Returns a name for {@link #push}, a C string that is never freed. */
  public static MemorySegment name(String text) {
    return Arena.global().allocateFrom(text);
  }

  /** Begins a range of this thread, within those that it began before ({@code nvtxRangePushA}). */
  public static void push(MemorySegment name) {
    MethodHandle push = Holder.PUSH;
    if (Holder.THERE && push != null) {
      try {
        int _ = (int) push.invokeExact(name);
      } catch (Throwable e) {
        throw new IllegalStateException("nvtxRangePushA", e);
      }
    }
  }

  /** Ends the range that this thread began last ({@code nvtxRangePop}). */
  public static void pop() {
    MethodHandle pop = Holder.POP;
    if (Holder.THERE && pop != null) {
      try {
        int _ = (int) pop.invokeExact();
      } catch (Throwable e) {
        throw new IllegalStateException("nvtxRangePop", e);
      }
    }
  }
}
