// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Takes it that every array for sizes is long enough. */
@Breaks("NET-TEST-07")
public final class NeedsSizes extends WatchingNet {
  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    Op op = request == null ? null : op(request);
    if (op != null && op.live && sizes != null && sizes.length < op.pieces) {
      throw new ArrayIndexOutOfBoundsException(sizes.length);
    }
    return super.test(request, sizes);
  }
}
