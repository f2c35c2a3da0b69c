// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

/** Clears where the result goes before it has read the contribution, which may be the same. */
@Breaks(value = "COLL-14", also = "NET-MEM-03")
public final class ClearsTheResultFirst extends MeddlingCollNet {
  @Override
  void starting(Result result) {
    if (result.from().address() == result.to().address() && !result.from().isReadOnly()) {
      result.to().fill((byte) 0);
    }
  }

  @Override
  void completed(Result result) {}
}
