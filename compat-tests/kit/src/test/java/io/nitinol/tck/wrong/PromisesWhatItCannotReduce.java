// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Says that it has all types, and refuses the smallest floats. */
@Breaks("COLL-13")
public final class PromisesWhatItCannotReduce extends WrongCollNet {
  @Override
  public @Nullable Request iallreduce(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      MemoryHandle recvMr,
      long recvOffset,
      long count,
      DataType dataType,
      ReductionOp op) {
    if (dataType == DataType.FLOAT8E5M2) {
      throw new NetException(ResultCode.INVALID_ARGUMENT, "no such type");
    }
    return collNet.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
  }
}
