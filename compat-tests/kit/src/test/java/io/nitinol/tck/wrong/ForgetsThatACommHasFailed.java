// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Says that there is no room on a comm that has failed. */
@Breaks("NET-ERR-05")
public final class ForgetsThatACommHasFailed extends WrongNet {
  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    try {
      return net.irecv(comm, n, mrs, offsets, lengths, tags);
    } catch (NetException e) {
      if (e.result() == ResultCode.REMOTE_ERROR) {
        return null;
      }
      throw e;
    }
  }
}
