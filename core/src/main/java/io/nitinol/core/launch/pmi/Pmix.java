// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch.pmi;

import io.nitinol.core.launch.pmi.ffi.PmixLibrary;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Carries a text over PMIx, which Open MPI, PRRTE and {@code srun --mpi=pmix} speak. The library is
 * initialized and finalized in one call: a process that ends between the two is taken for one that
 * has crashed. Servers take a process once, so there is no second call.
 */
@OneThread
public final class Pmix implements TextCarrier {
  private static final String KEY = "nitinol.unique-id";
  private static final long RANK = PmixLibrary.PROC.byteOffset(PathElement.groupElement("rank"));
  private static final long TEXT =
      PmixLibrary.VALUE.byteOffset(PathElement.groupElement("data.string"));

  private final PmixLibrary library;
  private final int rank;

  /**
   * Loads the library.
   *
   * @param rank the rank that the launcher's variables give this process
   * @throws IOException where there is none
   */
  public Pmix(int rank) throws IOException {
    this.rank = rank;
    try {
      this.library = new PmixLibrary();
    } catch (IllegalArgumentException e) {
      throw new IOException(PmixLibrary.NAME + " cannot be loaded", e);
    }
  }

  @Override
  public String name() {
    return "PMIx";
  }

  @Override
  public String carry(@Nullable String text) throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment self = arena.allocate(PmixLibrary.PROC);
      check("PMIx_Init", library.init(self));
      String carried;
      try {
        carried = carry(arena, self, text);
      } finally {
        check("PMIx_Finalize", library.end());
      }
      return carried;
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException(e);
    }
  }

  private String carry(Arena arena, MemorySegment self, @Nullable String text) throws Throwable {
    int given = self.get(ValueLayout.JAVA_INT, RANK);
    if (given != rank) {
      throw new IOException(
          ErrorText.of("PMIx says that this is rank %d, the environment rank %d", given, rank));
    }
    MemorySegment key = arena.allocateFrom(KEY);
    if (text != null) {
      MemorySegment value = arena.allocate(PmixLibrary.VALUE);
      value.set(ValueLayout.JAVA_SHORT, 0, PmixLibrary.STRING);
      value.set(ValueLayout.ADDRESS, TEXT, arena.allocateFrom(text));
      check("PMIx_Put", library.put(key, value));
      check("PMIx_Commit", library.commit());
    }
    check("PMIx_Fence", library.fence());
    self.set(ValueLayout.JAVA_INT, RANK, 0);
    MemorySegment found = arena.allocate(ValueLayout.ADDRESS);
    check("PMIx_Get", library.get(self, key, found));
    // The library allocated it: some hundred bytes once in the life of a process, not given back.
    MemorySegment value =
        found.get(ValueLayout.ADDRESS, 0).reinterpret(PmixLibrary.VALUE.byteSize());
    short type = value.get(ValueLayout.JAVA_SHORT, 0);
    if (type != PmixLibrary.STRING) {
      throw new IOException(ErrorText.of("%s of rank 0 is a value of type %d", KEY, (int) type));
    }
    return value.get(ValueLayout.ADDRESS, TEXT).reinterpret(Long.MAX_VALUE).getString(0);
  }

  private void check(String call, int status) throws Throwable {
    if (status != PmixLibrary.SUCCESS) {
      throw new IOException(ErrorText.of("%s: %s (status %d)", call, library.text(status), status));
    }
  }
}
