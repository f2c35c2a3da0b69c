// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

/** Where an allocation that a driver knows lies. */
public enum MemoryKind {
  /** In a device's own memory, where it stays. */
  DEVICE,
  /** In host memory that is pinned and mapped, so that devices reach it at any time. */
  HOST,
  /** Where it is used: the driver moves it between host and devices. */
  MANAGED
}
