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
        HostMemory.getInt(from + NetAttrLayout.OP),
        HostMemory.getInt(from + NetAttrLayout.ALGO),
        HostMemory.getInt(from + NetAttrLayout.PROTO));
  }

  private static NetAttributes.Flows flows(long from) {
    return new NetAttributes.Flows(
        HostMemory.getInt(from + NetAttrLayout.MAX_CONCURRENT_PEERS),
        HostMemory.getInt(from + NetAttrLayout.MIN_CONCURRENT_PEERS),
        HostMemory.getInt(from + NetAttrLayout.MAX_FLOWS_PER_PEER),
        HostMemory.getInt(from + NetAttrLayout.MIN_FLOWS_PER_PEER));
  }
}
