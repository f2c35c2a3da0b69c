// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

/** An object that NCCL knows by an opaque pointer. */
abstract class Slot {
  /** The pointer, as {@link HandleTable} has made it; 0 where there is none. */
  long id;
}
