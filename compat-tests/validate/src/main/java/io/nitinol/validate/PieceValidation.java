// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What holds for the memory of every operation. */
final class PieceValidation {
  private PieceValidation() {}

  /**
   * Checks a piece and adds it to the operation.
   *
   * @param bounds the rule about offsets and lengths
   * @return the registration where the piece lies inside it; else null
   */
  static @Nullable Registration add(
      ValidatedCall call,
      CommState state,
      ValidatedOperation operation,
      String bounds,
      MemoryHandle handle,
      long offset,
      long length) {
    Registration registration = registration(call, state, handle);
    if (registration != null) {
      long size = registration.memory.size();
      if (offset < 0 || length < 0 || length > size || offset > size - length) {
        call.mistake(bounds, "offset " + offset + ", length " + length + " in " + size + " bytes");
        registration = null;
      }
    }
    operation.addPiece(registration, offset, length);
    return registration;
  }

  private static @Nullable Registration registration(
      ValidatedCall call, CommState state, MemoryHandle handle) {
    if (!(handle instanceof Registration own) || own.state.validation != state.validation) {
      call.mistake("NET-ERR-02", "the memory handle is not of this network: " + handle);
      return null;
    }
    if (own.state != state && !own.state.shares(state)) {
      call.mistake("NET-REG-06", "the memory handle is of " + own.state);
      return null;
    }
    if (own.dead) {
      call.mistake("NET-REG-07", "the memory handle was undone");
      return null;
    }
    requireAlive(call, own);
    return own;
  }

  /** Checks that memory in use has not been freed. */
  static void requireAlive(ValidatedCall call, Registration registration) {
    if (registration.isNewlyGone()) {
      call.caller("NET-MEM-01", "the memory of the " + registration + " has been freed");
    }
  }

  /** Checks a piece to receive into, and that no other operation uses it. */
  static void claimToWrite(
      ValidatedCall call,
      ValidatedOperation operation,
      Registration registration,
      long offset,
      long length) {
    MemorySegment segment = registration.memory.segment();
    if (segment != null && segment.isReadOnly()) {
      call.mistake("NET-REG-13", "a receive into a read-only " + registration);
    }
    claim(call, operation, registration, offset, length, true);
  }

  /** Checks that no operation in flight uses the bytes in a way that excludes this one. */
  static void claim(
      ValidatedCall call,
      ValidatedOperation operation,
      Registration registration,
      long offset,
      long length,
      boolean writes) {
    String clash = operation.claim(registration, offset, length, writes);
    if (clash != null) {
      call.caller(
          "NET-RECV-15",
          ErrorText.of(
              "%s at 0x%x+%d overlaps a %s, which is in flight",
              operation.kind.label, registration.memory.address() + offset, length, clash));
    }
  }

  /** Checks the answer of a call that starts an operation; returns the caller's token, or null. */
  static @Nullable Request started(
      ValidatedCall call,
      CommState state,
      ValidatedOperation operation,
      @Nullable Request plugins) {
    if (plugins == null) {
      call.returned("null");
      return null;
    }
    Tokens.OfRequest token = state.operations.started(call, operation, plugins);
    requireNotFailed(call, state, "started a " + operation.kind.label);
    return token;
  }

  private static void requireNotFailed(ValidatedCall call, CommState state, String what) {
    if (state.failed != null) {
      call.plugin("NET-ERR-05", what + " after the comm had failed with " + state.failed);
    }
  }
}
