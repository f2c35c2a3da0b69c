// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

/** {@code ncclNetCommConfig_v10_t}, the same up to version 12. */
public final class CommConfigLayout {
  /** {@code int trafficClass}. */
  public static final long TRAFFIC_CLASS = 0;

  /** The size of the struct. */
  public static final long BYTES = 4;

  private CommConfigLayout() {}
}
