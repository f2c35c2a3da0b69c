// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Refuses more connections than were announced. */
@Breaks("NET-OPT-03")
public final class TakesHintsForPromises extends WrongNewestNet {
  private final Map<NetContext, AtomicInteger> left = new ConcurrentHashMap<>();

  @Override
  public boolean supports(OptionalOperation operation) {
    return operation == OptionalOperation.SET_NET_ATTR || super.supports(operation);
  }

  @Override
  public void setNetAttr(NetContext context, NetAttributes attributes) {
    left.put(context, new AtomicInteger(attributes.send().maxConcurrentPeers()));
  }

  @Override
  public @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    SendComm comm = super.connect(context, device, handle, deviceHandle);
    if (comm != null && left.containsKey(context) && left.get(context).decrementAndGet() < 0) {
      super.closeSend(comm);
      throw new NetException(ResultCode.INVALID_USAGE, "more connections than were announced");
    }
    return comm;
  }
}
