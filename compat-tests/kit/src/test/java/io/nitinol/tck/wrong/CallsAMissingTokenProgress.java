// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Throws a code that is none of a failure. */
@Breaks(value = "NET-ERR-04", also = "NET-ERR-02")
public final class CallsAMissingTokenProgress extends WrongNet {
  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (request == null) {
      throw new NetException(ResultCode.IN_PROGRESS, "not yet");
    }
    return net.test(request, sizes);
  }
}
