// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.nitinol.net.nativeabi.ffi.NetAttrLayout;
import io.nitinol.spi.net.NetAttributes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Writes hints about the traffic to come as a C struct. */
final class AttributesWriter {
  private AttributesWriter() {}

  static GuardedMemory struct(Arena arena, NetAttributes attributes) {
    GuardedMemory struct = new GuardedMemory(arena, NetAttrLayout.BYTES);
    MemorySegment bytes = struct.bytes();
    flows(bytes, NetAttrLayout.SEND, attributes.send());
    flows(bytes, NetAttrLayout.RECV, attributes.recv());
    bytes.set(JAVA_INT, NetAttrLayout.OP, attributes.op());
    bytes.set(JAVA_INT, NetAttrLayout.ALGO, attributes.algo());
    bytes.set(JAVA_INT, NetAttrLayout.PROTO, attributes.proto());
    return struct;
  }

  private static void flows(MemorySegment bytes, long at, NetAttributes.Flows flows) {
    bytes.set(JAVA_INT, at + NetAttrLayout.MAX_CONCURRENT_PEERS, flows.maxConcurrentPeers());
    bytes.set(JAVA_INT, at + NetAttrLayout.MIN_CONCURRENT_PEERS, flows.minConcurrentPeers());
    bytes.set(JAVA_INT, at + NetAttrLayout.MAX_FLOWS_PER_PEER, flows.maxFlowsPerPeer());
    bytes.set(JAVA_INT, at + NetAttrLayout.MIN_FLOWS_PER_PEER, flows.minFlowsPerPeer());
  }
}
