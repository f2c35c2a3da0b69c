// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Adds offset and length without a thought of overflow. */
@Breaks("NET-SEND-05")
public final class ForgetsOverflow extends WrongNet {
  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    boolean wraps = offset >= 0 && length >= 0 && offset + length < 0;
    return wraps ? super.isend(comm, mr, 0, 0, tag) : super.isend(comm, mr, offset, length, tag);
  }
}
