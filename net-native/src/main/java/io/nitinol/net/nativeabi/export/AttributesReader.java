// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.net.nativeabi.ffi.NetAttrLayout;
import io.nitinol.spi.net.NetAttributes;

/** Reads an {@code ncclNetAttr_v11_t}. */
final class AttributesReader {
  private AttributesReader() {}

  static NetAttributes read(long from) {
    return new NetAttributes(
        flows(from + NetAttrLayout.SEND),
        flows(from + NetAttrLayout.RECV),
        NcclMemory.getInt(from + NetAttrLayout.OP),
        NcclMemory.getInt(from + NetAttrLayout.ALGO),
        NcclMemory.getInt(from + NetAttrLayout.PROTO));
  }

  private static NetAttributes.Flows flows(long from) {
    return new NetAttributes.Flows(
        NcclMemory.getInt(from + NetAttrLayout.MAX_CONCURRENT_PEERS),
        NcclMemory.getInt(from + NetAttrLayout.MIN_CONCURRENT_PEERS),
        NcclMemory.getInt(from + NetAttrLayout.MAX_FLOWS_PER_PEER),
        NcclMemory.getInt(from + NetAttrLayout.MIN_FLOWS_PER_PEER));
  }
}
