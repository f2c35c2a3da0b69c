// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import org.jspecify.annotations.Nullable;

/** Sends one byte too few of every message of odd length. */
@Breaks(
    value = "NET-SEND-08",
    also = {"NET-RECV-04", "NET-SEND-05"})
public final class LosesLastOddByte extends WrongNet {

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    return net.isend(comm, mr, offset, length % 2 == 1 ? length - 1 : length, tag);
  }
}
