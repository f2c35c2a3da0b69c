// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Does not notice that members started different operations. */
@Breaks("COLL-18")
public final class CallsDisagreementComplete extends WrongCollNet {
  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    try {
      return super.test(request, sizes);
    } catch (NetException e) {
      if (e.result() == ResultCode.INVALID_USAGE) {
        return true;
      }
      throw e;
    }
  }
}
