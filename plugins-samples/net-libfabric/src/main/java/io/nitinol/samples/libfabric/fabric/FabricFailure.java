// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.fabric;

import io.nitinol.samples.libfabric.ffi.fabric_h;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** Names the failures of libfabric's calls. */
public final class FabricFailure {
  private static final long LONGEST_TEXT = 256;

  /** EIO, EPIPE, ENETDOWN to ENETRESET, ECONNABORTED, ECONNRESET, ENOTCONN to EHOSTUNREACH. */
  private static final Set<Integer> REMOTE =
      Set.of(5, 32, 100, 101, 102, 103, 104, 107, 108, 110, 111, 112, 113);

  private FabricFailure() {}

  /**
   * Returns whose an error of an operation is.
   *
   * @param error an error number, positive
   * @return REMOTE_ERROR where the peer or the way to it has failed, else SYSTEM_ERROR
   */
  public static ResultCode result(int error) {
    return REMOTE.contains(error) ? ResultCode.REMOTE_ERROR : ResultCode.SYSTEM_ERROR;
  }

  /**
   * Returns the failure of a call on this machine.
   *
   * @param call the libfabric function
   * @param code what it returned, a negative error number
   * @param where the provider and the device, or the peer
   * @return the exception, SYSTEM_ERROR
   */
  static NetException of(String call, long code, String where) {
    return new NetException(
        ResultCode.SYSTEM_ERROR,
        ErrorText.of("%s: %s failed: %s (error %d)", where, call, text((int) -code), -code));
  }

  /**
   * Returns libfabric's text for an error number.
   *
   * @param error the number, positive
   * @return what {@code fi_strerror} says
   */
  public static String text(int error) {
    MemorySegment text = fabric_h.fi_strerror(error);
    return string(text);
  }

  /**
   * Returns whether a message was longer than its receive.
   *
   * @param error an error number, positive
   * @return true for {@code FI_ETRUNC}
   */
  public static boolean isTruncation(int error) {
    return error == fabric_h.FI_ETRUNC();
  }

  /** Returns the C string at an address, or an empty one for NULL. */
  static String string(MemorySegment text) {
    return text.address() == 0 ? "" : text.reinterpret(LONGEST_TEXT).getString(0);
  }
}
