// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Request;
import java.util.Arrays;

/** {@code test} of the network and of the collective network. */
final class ExportTests {
  private ExportTests() {}

  /**
   * Asks the plugin.
   *
   * @param function the name for errors
   * @param request the pointer of the request
   * @param done where 0 or 1 is written
   * @param sizes 0, or where the size of each piece is written once it is done
   * @return the {@code ncclResult_t}
   */
  static int test(String function, long request, long done, long sizes) {
    try {
      RequestSlot slot = ExportHandles.request(request);
      int pieces = sizes == 0 ? 0 : slot.pieces;
      boolean complete = ask(slot, pieces);
      NcclMemory.putInt(done, complete ? 1 : 0);
      if (complete) {
        for (int i = 0; i < pieces; i++) {
          NcclMemory.putInt(sizes + (long) i * Integer.BYTES, slot.owner.sizes[i]);
        }
        slot.owner.completed(slot);
      }
      return 0;
    } catch (Throwable e) {
      return ExportFailures.tell(function, e);
    }
  }

  private static boolean ask(RequestSlot slot, int pieces) {
    Request request = slot.request;
    if (request == null) {
      return false;
    }
    int[] sizes = pieces == 0 ? null : slot.owner.sizes;
    // A completion that was said to be optional may leave them as they are.
    Arrays.fill(slot.owner.sizes, 0, pieces, 0);
    try {
      return slot.owner instanceof CollSlot
          ? Exported.collNet().test(request, sizes)
          : Exported.net().test(request, sizes);
    } catch (NetException e) {
      if (e.result() != ResultCode.INVALID_ARGUMENT) {
        slot.owner.takeBack(slot);
      }
      throw e;
    }
  }
}
