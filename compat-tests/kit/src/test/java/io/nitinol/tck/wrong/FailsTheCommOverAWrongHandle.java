// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Gives up the comm when a receive has no memory handle. */
@Breaks("NET-ERR-03")
public final class FailsTheCommOverAWrongHandle extends WrongNet {
  private final Set<RecvComm> failed = ConcurrentHashMap.newKeySet();

  @Override
  public @Nullable Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    if (comm != null && failed.contains(comm)) {
      throw new NetException(ResultCode.INTERNAL_ERROR, "the comm has failed");
    }
    if (comm != null && n == 1 && mrs.length == 1 && mrs[0] == null) {
      failed.add(comm);
    }
    return net.irecv(comm, n, mrs, offsets, lengths, tags);
  }
}
