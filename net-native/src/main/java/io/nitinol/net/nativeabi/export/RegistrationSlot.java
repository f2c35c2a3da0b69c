// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.net.MemoryHandle;

/** Registered memory: an address that NCCL passes becomes an offset from where it begins. */
final class RegistrationSlot extends Slot {
  /** The comm that the memory was registered with. */
  final CommSlot owner;

  /** The plugin's registration; {@link EarlyMemory} until there is a comm to register with. */
  MemoryHandle handle;

  /** Where the memory begins. */
  final long address;

  RegistrationSlot(CommSlot owner, MemoryHandle handle, long address) {
    this.owner = owner;
    this.handle = handle;
    this.address = address;
  }
}
