// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Keeps the low bits of a length that is too long. */
@Breaks(value = "NET-SEND-12", also = "NET-SEND-05")
public final class CutsWideLengths extends WrongNewestNet {
  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    long kept = length > 1L << 30 ? length & ((1L << 30) - 1) : length;
    return super.isend(comm, mr, offset, kept, tag, profilerHandle);
  }
}
