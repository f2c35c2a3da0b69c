// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Has room for fewer comms than its maxComms says. */
@Breaks("NET-DEV-09")
public final class RefusesTheHundredthComm extends WrongNet {
  private final AtomicInteger open = new AtomicInteger();

  @Override
  public @Nullable SendComm connect(int device, MemorySegment handle) {
    if (open.get() >= 100) {
      throw new NetException(ResultCode.SYSTEM_ERROR, "no room for more than 100 connections");
    }
    SendComm comm = net.connect(device, handle);
    if (comm != null) {
      open.incrementAndGet();
    }
    return comm;
  }

  @Override
  public void closeSend(SendComm comm) {
    net.closeSend(comm);
    open.decrementAndGet();
  }
}
