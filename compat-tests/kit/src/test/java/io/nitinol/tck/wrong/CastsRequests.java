// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Casts what it is given, and throws what the cast throws. */
@Breaks("NET-ERR-01")
public final class CastsRequests extends WrongNet {
  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    if (request != null && !request.getClass().getName().startsWith("io.nitinol.samples.")) {
      throw new ClassCastException("no request of mine: " + request);
    }
    return net.test(request, sizes);
  }
}
