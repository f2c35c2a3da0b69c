// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Answers every flush with null. */
@Breaks(value = "NET-FLUSH-04", also = "NET-ERR-02")
public final class DoesNotLookAtFlushes extends WrongNet {
  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return null;
  }
}
