// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Writes sizes whatever the answer is. */
@Breaks("NET-TEST-08")
public final class WritesSizesTooEarly extends WrongNet {
  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    boolean done = super.test(request, sizes);
    if (!done && sizes != null && sizes.length > 0) {
      sizes[0] = 0;
    }
    return done;
  }
}
