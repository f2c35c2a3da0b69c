// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/** All-gathers and reduce-scatters: COLL-23 to COLL-25, as far as one member sees. */
final class GatherValidation {
  private final CollNet net;
  private final Validation validation;
  private final DeviceValidation devices;
  private final ReductionValidation reductions;

  GatherValidation(
      CollNet net,
      Validation validation,
      DeviceValidation devices,
      ReductionValidation reductions) {
    this.net = net;
    this.validation = validation;
    this.devices = devices;
    this.reductions = reductions;
  }

  @Nullable Request iallgather(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      int n,
      MemoryHandle[] recvMrs,
      long[] recvOffsets,
      long[] recvLengths,
      long bytesPerRank,
      long windowOffset,
      long windowBytes) {
    if (!(comm instanceof Tokens.OfColl own) || own.state().validation != validation) {
      return validation.foreign(
          PluginMethod.IALLGATHER,
          comm,
          () ->
              net.iallgather(
                  Tokens.plugins(comm),
                  Tokens.plugins(sendMr),
                  sendOffset,
                  n,
                  Tokens.plugins(recvMrs),
                  recvOffsets,
                  recvLengths,
                  bytesPerRank,
                  windowOffset,
                  windowBytes));
    }
    CommState state = own.state();
    try (ValidatedCall call = state.drive(PluginMethod.IALLGATHER)) {
      begin(call, state, OptionalOperation.ALL_GATHER, n, bytesPerRank, windowOffset, windowBytes);
      ValidatedOperation operation = state.operations.take(ValidatedOperation.Kind.GATHER);
      boolean started = false;
      try {
        boolean fits =
            checkWindow(call, state, n, recvOffsets, recvLengths, bytesPerRank, windowOffset);
        fits &= checkSum(call, n, recvLengths, windowBytes);
        operation.resultBytes = windowBytes;
        if (fits && recvMrs.length >= n) {
          long sent = ownBytes(state, bytesPerRank, windowOffset, windowBytes);
          Registration from =
              PieceValidation.add(call, state, operation, "COLL-25", sendMr, sendOffset, sent);
          boolean inPlace = false;
          for (int i = 0; i < n; i++) {
            Registration to =
                PieceValidation.add(
                    call, state, operation, "COLL-25", recvMrs[i], recvOffsets[i], recvLengths[i]);
            inPlace |= overlap(from, sendOffset, sent, to, recvOffsets[i], recvLengths[i]);
            if (to != null) {
              PieceValidation.claimToWrite(call, operation, to, recvOffsets[i], recvLengths[i]);
            }
          }
          if (from != null && !inPlace) {
            PieceValidation.claim(call, operation, from, sendOffset, sent, false);
          }
        }
        ReceiveArrays arrays = state.arrays(call).set(recvMrs, recvOffsets, recvLengths);
        Request answer;
        try {
          answer =
              net.iallgather(
                  own.plugins(),
                  Tokens.plugins(sendMr),
                  sendOffset,
                  n,
                  arrays.handles,
                  arrays.offsets,
                  arrays.lengths,
                  bytesPerRank,
                  windowOffset,
                  windowBytes);
        } catch (Throwable e) {
          state.threw(call, e);
          throw call.threw(e);
        } finally {
          arrays.spoil();
        }
        started = answer != null;
        return PieceValidation.started(call, state, operation, answer);
      } finally {
        if (!started) {
          state.operations.drop(operation);
        }
      }
    }
  }

  @Nullable Request ireducescatter(
      CollComm comm,
      int n,
      MemoryHandle[] sendMrs,
      long[] sendOffsets,
      long[] sendLengths,
      MemoryHandle recvMr,
      long recvOffset,
      long bytesPerRank,
      long windowOffset,
      long windowBytes,
      DataType dataType,
      ReductionOp op) {
    if (!(comm instanceof Tokens.OfColl own) || own.state().validation != validation) {
      return validation.foreign(
          PluginMethod.IREDUCESCATTER,
          comm,
          () ->
              net.ireducescatter(
                  Tokens.plugins(comm),
                  n,
                  Tokens.plugins(sendMrs),
                  sendOffsets,
                  sendLengths,
                  Tokens.plugins(recvMr),
                  recvOffset,
                  bytesPerRank,
                  windowOffset,
                  windowBytes,
                  dataType,
                  op));
    }
    CommState state = own.state();
    try (ValidatedCall call = state.drive(PluginMethod.IREDUCESCATTER)) {
      begin(
          call,
          state,
          OptionalOperation.REDUCE_SCATTER,
          n,
          bytesPerRank,
          windowOffset,
          windowBytes);
      reductions.checkPair(call, dataType, op);
      if ((bytesPerRank | windowOffset | windowBytes) % dataType.size() != 0) {
        call.mistake("COLL-25", "numbers of bytes that are no multiples of " + dataType.size());
      }
      ValidatedOperation operation = state.operations.take(ValidatedOperation.Kind.SCATTER);
      boolean started = false;
      try {
        boolean fits =
            checkWindow(call, state, n, sendOffsets, sendLengths, bytesPerRank, windowOffset);
        fits &= checkSum(call, n, sendLengths, windowBytes);
        if (fits && sendMrs.length >= n) {
          long received = ownBytes(state, bytesPerRank, windowOffset, windowBytes);
          operation.resultBytes = received;
          Registration to =
              PieceValidation.add(call, state, operation, "COLL-25", recvMr, recvOffset, received);
          for (int i = 0; i < n; i++) {
            Registration from =
                PieceValidation.add(
                    call, state, operation, "COLL-25", sendMrs[i], sendOffsets[i], sendLengths[i]);
            if (from != null
                && !overlap(to, recvOffset, received, from, sendOffsets[i], sendLengths[i])) {
              PieceValidation.claim(call, operation, from, sendOffsets[i], sendLengths[i], false);
            }
          }
          if (to != null) {
            PieceValidation.claimToWrite(call, operation, to, recvOffset, received);
          }
        }
        ReceiveArrays arrays = state.arrays(call).set(sendMrs, sendOffsets, sendLengths);
        Request answer;
        try {
          answer =
              net.ireducescatter(
                  own.plugins(),
                  n,
                  arrays.handles,
                  arrays.offsets,
                  arrays.lengths,
                  Tokens.plugins(recvMr),
                  recvOffset,
                  bytesPerRank,
                  windowOffset,
                  windowBytes,
                  dataType,
                  op);
        } catch (Throwable e) {
          state.threw(call, e);
          throw call.threw(e);
        } finally {
          arrays.spoil();
        }
        started = answer != null;
        return PieceValidation.started(call, state, operation, answer);
      } finally {
        if (!started) {
          state.operations.drop(operation);
        }
      }
    }
  }

  private void begin(
      ValidatedCall call,
      CommState state,
      OptionalOperation operation,
      int n,
      long bytesPerRank,
      long windowOffset,
      long windowBytes) {
    call.with("n", n)
        .with("bytesPerRank", bytesPerRank)
        .with("offset", windowOffset)
        .with("bytes", windowBytes)
        .begins();
    call.admit();
    state.requireUsable(call);
    devices.requireSupported(call, operation);
  }

  /** Checks the arrays and the place of the window; returns whether the rest can be looked at. */
  private static boolean checkWindow(
      ValidatedCall call,
      CommState state,
      int n,
      long[] offsets,
      long[] lengths,
      long bytesPerRank,
      long windowOffset) {
    int shortest = Math.min(offsets.length, lengths.length);
    if (n < 1 || n > shortest) {
      call.mistake("COLL-25", n + " pieces where the shortest array has " + shortest);
      return false;
    }
    if (bytesPerRank < 0 || windowOffset < 0 || bytesPerRank > Long.MAX_VALUE / state.nranks) {
      call.mistake(
          "COLL-25", bytesPerRank + " bytes of each rank, a window from " + windowOffset + " on");
      return false;
    }
    long sum = 0;
    for (int i = 0; i < n; i++) {
      if (lengths[i] < 0) {
        call.mistake("COLL-25", "a piece of " + lengths[i] + " bytes");
        return false;
      }
      sum += lengths[i];
    }
    if (sum < 0 || windowOffset > bytesPerRank * state.nranks - sum) {
      call.mistake(
          "COLL-25",
          ErrorText.of(
              "a window of %d bytes from %d on, of %d",
              sum, windowOffset, bytesPerRank * state.nranks));
      return false;
    }
    return true;
  }

  private static boolean checkSum(ValidatedCall call, int n, long[] lengths, long windowBytes) {
    long sum = 0;
    for (int i = 0; i < n && i < lengths.length; i++) {
      sum += lengths[i];
    }
    if (sum != windowBytes) {
      call.mistake("COLL-25", "pieces of " + sum + " bytes for a window of " + windowBytes);
      return false;
    }
    return true;
  }

  /** Returns how many bytes of the window are this member's own. */
  private static long ownBytes(
      CommState state, long bytesPerRank, long windowOffset, long windowBytes) {
    long from = Math.max(windowOffset, bytesPerRank * state.rank);
    long to = Math.min(windowOffset + windowBytes, bytesPerRank * (state.rank + 1));
    return Math.max(0, to - from);
  }

  private static boolean overlap(
      @Nullable Registration a,
      long aOffset,
      long aLength,
      @Nullable Registration b,
      long bOffset,
      long bLength) {
    if (a == null || b == null || a.memory.type() != b.memory.type()) {
      return false;
    }
    long aFrom = a.memory.address() + aOffset;
    long bFrom = b.memory.address() + bOffset;
    return aFrom < bFrom + bLength && bFrom < aFrom + aLength;
  }
}
