// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceProvider;
import org.jspecify.annotations.Nullable;

/** Throws what networks may throw, where a test does not expect a failure at all. */
public final class ThrowsFromFind extends WrongDevices {
  @Override
  @Nullable Object answer(Call call) {
    if (call.is(DeviceProvider.class, "find")) {
      throw new NetException(ResultCode.SYSTEM_ERROR, "no finding today");
    }
    return call.proceed();
  }
}
