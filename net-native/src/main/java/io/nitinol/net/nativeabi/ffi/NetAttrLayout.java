// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

/** {@code ncclNetAttr_v11_t}, the same in version 12. */
public final class NetAttrLayout {
  /** {@code ncclNetCommAttr_v11_t sendCommAttr}. */
  public static final long SEND = 0;

  /** {@code ncclNetCommAttr_v11_t recvCommAttr}. */
  public static final long RECV = 16;

  /** {@code int32_t maxConcurrentPeers} of a {@code ncclNetCommAttr_v11_t}. */
  public static final long MAX_CONCURRENT_PEERS = 0;

  /** {@code int32_t minConcurrentPeers} of a {@code ncclNetCommAttr_v11_t}. */
  public static final long MIN_CONCURRENT_PEERS = 4;

  /** {@code int32_t maxFlowsPerPeer} of a {@code ncclNetCommAttr_v11_t}. */
  public static final long MAX_FLOWS_PER_PEER = 8;

  /** {@code int32_t minFlowsPerPeer} of a {@code ncclNetCommAttr_v11_t}. */
  public static final long MIN_FLOWS_PER_PEER = 12;

  /** {@code uint32_t op}. */
  public static final long OP = 32;

  /** {@code uint32_t algo}. */
  public static final long ALGO = 36;

  /** {@code uint32_t proto}. */
  public static final long PROTO = 40;

  /** The size of the struct. */
  public static final long BYTES = 44;

  private NetAttrLayout() {}
}
