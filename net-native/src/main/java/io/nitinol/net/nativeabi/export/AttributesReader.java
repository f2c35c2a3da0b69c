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
        NativeMemory.getInt(from + NetAttrLayout.OP),
        NativeMemory.getInt(from + NetAttrLayout.ALGO),
        NativeMemory.getInt(from + NetAttrLayout.PROTO));
  }

  private static NetAttributes.Flows flows(long from) {
    return new NetAttributes.Flows(
        NativeMemory.getInt(from + NetAttrLayout.MAX_CONCURRENT_PEERS),
        NativeMemory.getInt(from + NetAttrLayout.MIN_CONCURRENT_PEERS),
        NativeMemory.getInt(from + NetAttrLayout.MAX_FLOWS_PER_PEER),
        NativeMemory.getInt(from + NetAttrLayout.MIN_FLOWS_PER_PEER));
  }
}
