// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

/** {@code ncclNetVDeviceProps_vN_t}: how many devices make up one, and which. */
public final class VirtualDeviceLayout {
  /** {@code int ndevs}. */
  public static final long NDEVS = 0;

  /** {@code int devs[]}. */
  public static final long DEVS = 4;

  private VirtualDeviceLayout() {}

  /** Returns how many devices there is room for; {@code version} is 9 or later. */
  public static int maxDevices(int version) {
    return version >= 12 ? 8 : 4;
  }

  /** Returns the size of the struct in bytes; {@code version} is 9 or later. */
  public static long byteSize(int version) {
    return DEVS + (long) maxDevices(version) * Integer.BYTES;
  }
}
