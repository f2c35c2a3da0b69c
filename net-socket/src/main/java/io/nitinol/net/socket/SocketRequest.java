// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.net.Request;
import org.jspecify.annotations.Nullable;

/** One slot of a comm's pool: a message being sent or received. Reused, never reallocated. */
final class SocketRequest implements Request {
  /** Where a slot is in its life. */
  enum State {
    /** In nobody's hands. */
    FREE,
    /** Handed to the caller, not complete. */
    ACTIVE,
    /** Complete, and the caller has not yet been told. */
    DONE
  }

  /** The comm that the slot belongs to. */
  final CommEnd owner;

  State state = State.FREE;

  /** The memory of the message; null while the slot is free. */
  @Nullable Registration memory;

  /** The first byte of the message in its memory. */
  long offset;

  /** The length of a sent message, or the room for a received one; in bytes. */
  long length;

  /** What travels with the message. */
  int tag;

  /** The size that test reports. */
  long size;

  /** For a sent message: how many bytes of the stream there are up to its end. */
  long end;

  SocketRequest(CommEnd owner) {
    this.owner = owner;
  }
}
