// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Reports a receive complete once it has been asked often enough. */
@Breaks("NET-TEST-05")
public final class CompletesOnItsOwn extends WatchingNet {
  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    boolean done = super.test(request, sizes);
    Op op = op(request);
    return done || op != null && !op.sending && op.tests > 15_000;
  }
}
