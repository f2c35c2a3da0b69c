// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import java.lang.foreign.ValueLayout;

/** Writes one byte behind the result, where the registration has room. It allocates for that. */
@Breaks(value = "COLL-22", also = "NET-MEM-03")
public final class WritesPastTheCount extends MeddlingCollNet {
  @Override
  void completed(Result result) {
    long end = result.to().byteSize();
    if (result.room().byteSize() > end) {
      result.room().set(ValueLayout.JAVA_BYTE, end, (byte) 0);
    }
  }
}
