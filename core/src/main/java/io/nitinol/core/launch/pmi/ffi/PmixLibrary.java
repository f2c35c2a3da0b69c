// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch.pmi.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/**
 * The functions and structs of {@code pmix.h} by which a process shares a text with the others of
 * its job; the same since version 2 of the library.
 */
public final class PmixLibrary {
  /** The name of the library. */
  public static final String NAME = "libpmix.so.2";

  /** {@code PMIX_SUCCESS}. */
  public static final int SUCCESS = 0;

  /** {@code PMIX_STRING}, the type of a value. */
  public static final short STRING = 3;

  /** {@code PMIX_GLOBAL}, the scope of a value that all processes of the job may read. */
  public static final byte GLOBAL = 3;

  /** {@code PMIX_MAX_NSLEN}, the most characters of a job's name. */
  public static final int MAX_NSLEN = 255;

  /** {@code PMIX_MAX_KEYLEN}, the most characters of a key. */
  public static final int MAX_KEYLEN = 511;

  /** {@code pmix_proc_t}. */
  public static final StructLayout PROC =
      MemoryLayout.structLayout(
              MemoryLayout.sequenceLayout(MAX_NSLEN + 1, JAVA_BYTE).withName("nspace"),
              JAVA_INT.withName("rank"))
          .withName("pmix_proc_t");

  /** {@code pmix_value_t}, of whose union only the text is used. */
  public static final StructLayout VALUE =
      MemoryLayout.structLayout(
              JAVA_SHORT.withName("type"),
              MemoryLayout.paddingLayout(6),
              ADDRESS.withName("data.string"),
              MemoryLayout.paddingLayout(16))
          .withName("pmix_value_t");

  private final SymbolLookup library;

  /**
   * Loads the library, for the life of the process.
   *
   * @throws IllegalArgumentException where there is none
   */
  public PmixLibrary() {
    this.library = SymbolLookup.libraryLookup(NAME, Arena.global());
  }

  private MethodHandle function(String name, FunctionDescriptor type) {
    return Linker.nativeLinker()
        .downcallHandle(
            library
                .find(name)
                .orElseThrow(() -> new IllegalArgumentException(NAME + " has no " + name)),
            type);
  }

  /** {@code int PMIx_Init(pmix_proc_t *proc, pmix_info_t info[], size_t ninfo)}. */
  public int init(MemorySegment proc) throws Throwable {
    FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG);
    return (int) function("PMIx_Init", type).invokeExact(proc, MemorySegment.NULL, 0L);
  }

  /** {@code int PMIx_Put(pmix_scope_t scope, const char key[], pmix_value_t *value)}. */
  public int put(MemorySegment key, MemorySegment value) throws Throwable {
    FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, JAVA_BYTE, ADDRESS, ADDRESS);
    return (int) function("PMIx_Put", type).invokeExact(GLOBAL, key, value);
  }

  /** {@code int PMIx_Commit(void)}. */
  public int commit() throws Throwable {
    return (int) function("PMIx_Commit", FunctionDescriptor.of(JAVA_INT)).invokeExact();
  }

  /**
   * {@code int PMIx_Fence(const pmix_proc_t procs[], size_t nprocs, const pmix_info_t info[],
   * size_t ninfo)}, for all processes of the job.
   */
  public int fence() throws Throwable {
    FunctionDescriptor type =
        FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG);
    return (int)
        function("PMIx_Fence", type)
            .invokeExact(MemorySegment.NULL, 0L, MemorySegment.NULL, 0L);
  }

  /**
   * {@code int PMIx_Get(const pmix_proc_t *proc, const char key[], const pmix_info_t info[], size_t
   * ninfo, pmix_value_t **value)}.
   */
  public int get(MemorySegment proc, MemorySegment key, MemorySegment value) throws Throwable {
    FunctionDescriptor type =
        FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS);
    return (int)
        function("PMIx_Get", type).invokeExact(proc, key, MemorySegment.NULL, 0L, value);
  }

  /** {@code int PMIx_Finalize(const pmix_info_t info[], size_t ninfo)}. */
  public int end() throws Throwable {
    FunctionDescriptor type = FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG);
    return (int) function("PMIx_Finalize", type).invokeExact(MemorySegment.NULL, 0L);
  }

  /** {@code const char *PMIx_Error_string(int status)}. */
  public String text(int status) throws Throwable {
    FunctionDescriptor type = FunctionDescriptor.of(ADDRESS, JAVA_INT);
    MemorySegment text = (MemorySegment) function("PMIx_Error_string", type).invokeExact(status);
    return text.equals(MemorySegment.NULL)
        ? Integer.toString(status)
        : text.reinterpret(MAX_KEYLEN).getString(0);
  }
}
