// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import java.lang.foreign.ValueLayout;

/** The last element of every long result is wrong, and the same on all members. */
@Breaks(value = "COLL-13", also = "NET-MEM-03")
public final class WrongInTheLastElement extends MeddlingCollNet {
  @Override
  void completed(Result result) {
    long last = result.to().byteSize() - 1;
    if (last >= 4096) {
      result.to().set(ValueLayout.JAVA_BYTE, last, (byte) 0x55);
    }
  }
}
