// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** Reports the number of elements, not of bytes. It allocates for that. */
@Breaks(value = "COLL-17", also = "NET-MEM-03")
public final class ReportsElements extends MeddlingCollNet {
  @Override
  void completed(Result result) {}

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    boolean done = super.test(request, sizes);
    if (done && sizes != null && sizes[0] % 4 == 0) {
      sizes[0] /= 4;
    }
    return done;
  }
}
