// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

/** {@code ncclNetDeviceHandle_v7_t}, the same up to version 12. */
public final class DeviceHandleLayout {
  /** {@code ncclNetDeviceType netDeviceType}. */
  public static final long TYPE = 0;

  /** {@code int netDeviceVersion}. */
  public static final long VERSION = 4;

  /** {@code void* handle}. */
  public static final long HANDLE = 8;

  /** {@code size_t size}. */
  public static final long SIZE = 16;

  /** {@code int needsProxyProgress}. */
  public static final long NEEDS_PROXY_PROGRESS = 24;

  /** The size of the struct. */
  public static final long BYTES = 32;

  private DeviceHandleLayout() {}
}
