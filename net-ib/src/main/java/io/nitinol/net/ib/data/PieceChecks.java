// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.memory.IbCommMemory;
import io.nitinol.net.ib.memory.RegisteredMemory;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/** Checks the arrays of a receive or flush before anything is posted. */
final class PieceChecks {
  private PieceChecks() {}

  /**
   * Checks that {@code n} pieces lie inside live memory of the comm.
   *
   * @param live the memory registered with the comm
   * @param label the comm, for messages
   * @throws NetException INVALID_ARGUMENT where one does not, or an array is too short
   */
  static void check(
      IbCommMemory live,
      String label,
      int n,
      MemoryHandle[] memories,
      long[] offsets,
      long[] lengths) {
    if (n < 0 || n > IbSlots.PIECES) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "%d pieces in one receive: the IB plugin takes up to %s (maxRecvs)",
              n, IbSlots.PIECES));
    }
    checkLength("memory handles", memories == null ? -1 : memories.length, n);
    checkLength("offsets", offsets == null ? -1 : offsets.length, n);
    checkLength("lengths", lengths == null ? -1 : lengths.length, n);
    for (int i = 0; i < n; i++) {
      memory(memories[i]).check(live, offsets[i], lengths[i], label);
    }
  }

  /** Checks what only a receive has to fulfil, behind {@link #check}. */
  static void checkReceive(int n, MemoryHandle[] memories, int[] tags) {
    if (n == 0) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "a receive of 0 pieces");
    }
    checkLength("tags", tags == null ? -1 : tags.length, n);
    for (int i = 0; i < n; i++) {
      if (memory(memories[i]).isReadOnly()) {
        throw new NetException(
            ResultCode.INVALID_ARGUMENT,
            "cannot receive into read-only memory of " + memory(memories[i]).size() + " bytes");
      }
    }
  }

  /**
   * Returns a memory handle as what it is.
   *
   * @throws NetException INVALID_ARGUMENT for a handle of another plugin
   */
  static RegisteredMemory memory(@Nullable MemoryHandle handle) {
    if (handle instanceof RegisteredMemory own) {
      return own;
    }
    throw new NetException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of(
            "memory handle %s does not come from the IB plugin",
            handle == null ? "null" : "of " + handle.getClass().getName()));
  }

  private static void checkLength(String array, int length, int n) {
    if (length < n) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of(
              "the array of %s%s for %d pieces",
              array, length < 0 ? " is null" : " has " + length + " elements", n));
    }
  }
}
