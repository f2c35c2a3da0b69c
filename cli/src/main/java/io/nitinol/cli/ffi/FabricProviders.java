// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Asks libfabric for its providers. The structures are those of {@code rdma/fabric.h}, 64 bits. */
public final class FabricProviders {
  private static final String LIBRARY = "libfabric.so.1";

  /** {@code FI_VERSION(1, 9)}: the oldest whose answer is asked for. */
  private static final int VERSION = (1 << 16) | 9;

  /** {@code next} of {@code struct fi_info}. */
  private static final long NEXT = 0;

  /** {@code fabric_attr} of {@code struct fi_info}. */
  private static final long FABRIC = 104;

  /** {@code prov_name} of {@code struct fi_fabric_attr}. */
  private static final long PROVIDER = 16;

  private static final long STRUCT_BYTES = 128;
  private static final int MOST_TEXT = 256;

  private static final AddressLayout STRUCT =
      ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(STRUCT_BYTES, JAVA_BYTE));
  private static final AddressLayout TEXT =
      ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(MOST_TEXT, JAVA_BYTE));

  private FabricProviders() {}

  /**
   * Returns the providers that can be used here, such as {@code efa} and {@code tcp}, the one that
   * libfabric prefers first.
   *
   * @throws IOException where libfabric lists none; its message is libfabric's reason
   */
  public static List<String> names() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup library = SymbolLookup.libraryLookup(LIBRARY, arena);
      Linker linker = Linker.nativeLinker();
      MethodHandle getInfo =
          linker.downcallHandle(
              library.findOrThrow("fi_getinfo"),
              FunctionDescriptor.of(
                  JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, ADDRESS));
      MethodHandle freeInfo =
          linker.downcallHandle(
              library.findOrThrow("fi_freeinfo"), FunctionDescriptor.ofVoid(ADDRESS));
      MethodHandle errorText =
          linker.downcallHandle(
              library.findOrThrow("fi_strerror"), FunctionDescriptor.of(TEXT, JAVA_INT));
      MemorySegment first = arena.allocate(ADDRESS);
      MemorySegment none = MemorySegment.NULL;
      int result = (int) getInfo.invokeExact(VERSION, none, none, 0L, none, first);
      if (result != 0) {
        MemorySegment text = (MemorySegment) errorText.invokeExact(-result);
        throw new IOException(
            ErrorText.of("fi_getinfo returns %d (%s)", result, text.getString(0)));
      }
      MemorySegment list = first.get(STRUCT, 0);
      List<String> names = names(list);
      freeInfo.invokeExact(list);
      return names;
    } catch (IOException e) {
      throw e;
    } catch (IllegalCallerException e) {
      throw new IOException("native access is denied, so nothing can ask " + LIBRARY, e);
    } catch (IllegalArgumentException e) {
      throw new IOException(LIBRARY + " cannot be loaded", e);
    } catch (Throwable e) {
      throw new IOException(LIBRARY + " cannot be asked: " + e, e);
    }
  }

  private static List<String> names(MemorySegment list) {
    Set<String> names = new LinkedHashSet<>();
    for (MemorySegment info = list; info.address() != 0; info = info.get(STRUCT, NEXT)) {
      MemorySegment fabric = info.get(STRUCT, FABRIC);
      MemorySegment name = fabric.address() == 0 ? fabric : fabric.get(TEXT, PROVIDER);
      if (name.address() != 0) {
        names.add(name.getString(0));
      }
    }
    return new ArrayList<>(names);
  }
}
