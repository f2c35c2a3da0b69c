// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import org.jspecify.annotations.Nullable;

/** Sends, receives and flushes of Net: NET-SEND-*, NET-RECV-*, NET-FLUSH-02. */
final class TransferValidation {
  private final Net net;
  private final Validation validation;

  TransferValidation(Net net, Validation validation) {
    this.net = net;
    this.validation = validation;
  }

  @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    if (!(comm instanceof Tokens.OfSend own) || own.state().validation != validation) {
      return validation.foreign(
          PluginMethod.ISEND,
          comm,
          () ->
              net.isend(
                  Tokens.plugins(comm), Tokens.plugins(mr), offset, length, tag, profilerHandle));
    }
    CommState state = own.state();
    try (ValidatedCall call = state.drive(PluginMethod.ISEND)) {
      call.with("offset", offset).with("length", length).with("tag", tag).begins();
      call.admit();
      state.requireUsable(call);
      ValidatedOperation operation = state.operations.take(ValidatedOperation.Kind.SEND);
      boolean started = false;
      try {
        Registration memory =
            PieceValidation.add(call, state, operation, "NET-SEND-05", mr, offset, length);
        if (memory != null) {
          if (length > state.longestMessage()) { // elsewhere it is refused anyway
            call.caller("NET-SEND-06", "a message of " + length + " bytes");
          }
          PieceValidation.claim(call, operation, memory, offset, length, false);
        }
        Request answer;
        try {
          answer =
              net.isend(own.plugins(), Tokens.plugins(mr), offset, length, tag, profilerHandle);
        } catch (Throwable e) {
          state.threw(call, e);
          throw call.threw(e);
        }
        started = answer != null;
        if (started) {
          OperationTracker.fingerprint(operation);
        }
        return PieceValidation.started(call, state, operation, answer);
      } finally {
        if (!started) {
          state.operations.drop(operation);
        }
      }
    }
  }

  @Nullable Request irecv(
      RecvComm comm,
      int n,
      MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      int[] tags,
      long @Nullable [] profilerHandles,
      int hints) {
    if (!(comm instanceof Tokens.OfRecv own) || own.state().validation != validation) {
      return validation.foreign(
          PluginMethod.IRECV,
          comm,
          () ->
              net.irecv(
                  Tokens.plugins(comm),
                  n,
                  Tokens.plugins(mrs),
                  offsets,
                  lengths,
                  tags,
                  profilerHandles,
                  hints));
    }
    CommState state = own.state();
    try (ValidatedCall call = state.drive(PluginMethod.IRECV)) {
      noteArrays(call, n, offsets, lengths, tags);
      call.admit();
      state.requireUsable(call);
      int shortest =
          Math.min(Math.min(mrs.length, offsets.length), Math.min(lengths.length, tags.length));
      if (profilerHandles != null) {
        shortest = Math.min(shortest, profilerHandles.length);
      }
      checkCount(call, state.properties, n, shortest);
      if ((hints & ~Net.OPTIONAL_RECV_COMPLETION) != 0) {
        call.oversight("NET-RECV-18", "hints 0x" + Integer.toHexString(hints));
      }
      ValidatedOperation operation = state.operations.take(ValidatedOperation.Kind.RECV);
      operation.optional = (hints & Net.OPTIONAL_RECV_COMPLETION) != 0;
      boolean started = false;
      try {
        for (int i = 0; i < Math.min(n, shortest); i++) {
          Registration memory =
              PieceValidation.add(
                  call, state, operation, "NET-RECV-16", mrs[i], offsets[i], lengths[i]);
          if (memory != null) {
            if (lengths[i] > state.longestMessage()) {
              call.caller("NET-SEND-06", "room for a message of " + lengths[i] + " bytes");
            }
            PieceValidation.claimToWrite(call, operation, memory, offsets[i], lengths[i]);
          }
        }
        OperationTracker.sample(operation);
        ReceiveArrays arrays = state.arrays(call).set(mrs, offsets, lengths, tags, profilerHandles);
        Request answer;
        try {
          answer =
              net.irecv(
                  own.plugins(),
                  n,
                  arrays.handles,
                  arrays.offsets,
                  arrays.lengths,
                  arrays.tags,
                  arrays.profilerHandles,
                  hints);
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

  private static void noteArrays(
      ValidatedCall call, int n, long[] offsets, long[] lengths, int[] tags) {
    if (n > 0 && offsets.length > 0 && lengths.length > 0 && tags.length > 0) {
      call.with("n", n)
          .with("offset", offsets[0])
          .with("length", lengths[0])
          .with("tag", tags[0])
          .begins();
    } else {
      call.with("n", n).begins();
    }
  }

  private static void checkCount(
      ValidatedCall call, @Nullable NetProperties properties, int n, int shortest) {
    int most = properties == null ? Integer.MAX_VALUE : properties.maxRecvs();
    if (n < 0 || n > most || n > shortest) {
      call.mistake(
          "NET-RECV-08",
          n + " pieces where maxRecvs is " + most + " and the shortest array has " + shortest);
    } else if (n == 0) {
      call.oversight("NET-RECV-08", "no pieces");
    }
  }

  @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    if (!(comm instanceof Tokens.OfRecv own) || own.state().validation != validation) {
      return validation.foreign(
          PluginMethod.IFLUSH,
          comm,
          () -> net.iflush(Tokens.plugins(comm), n, Tokens.plugins(mrs), offsets, lengths));
    }
    CommState state = own.state();
    try (ValidatedCall call = state.drive(PluginMethod.IFLUSH)) {
      call.with("n", n).begins();
      call.admit();
      state.requireUsable(call);
      int shortest = Math.min(mrs.length, Math.min(offsets.length, lengths.length));
      if (n != 0) {
        checkCount(call, state.properties, n, shortest);
      }
      ValidatedOperation operation = state.operations.take(ValidatedOperation.Kind.FLUSH);
      boolean started = false;
      try {
        boolean empty = true;
        for (int i = 0; i < Math.min(n, shortest); i++) {
          PieceValidation.add(
              call, state, operation, "NET-RECV-16", mrs[i], offsets[i], lengths[i]);
          empty &= lengths[i] == 0;
        }
        ReceiveArrays arrays = state.arrays(call).set(mrs, offsets, lengths);
        Request answer;
        try {
          answer = net.iflush(own.plugins(), n, arrays.handles, arrays.offsets, arrays.lengths);
        } catch (Throwable e) {
          state.threw(call, e);
          throw call.threw(e);
        } finally {
          arrays.spoil();
        }
        started = answer != null;
        Request token = PieceValidation.started(call, state, operation, answer);
        if (token != null && (empty || state.isHostOnly())) {
          call.plugin("NET-FLUSH-02", "a request where there is nothing to flush");
        }
        return token;
      } finally {
        if (!started) {
          state.operations.drop(operation);
        }
      }
    }
  }

  void irecvConsumed(RecvComm comm, int n, Request request, DeviceValidation devices) {
    boolean ours = comm instanceof Tokens.OfRecv own && own.state().validation == validation;
    try (ValidatedCall call =
        ours
            ? ((Tokens.OfRecv) comm).state().drive(PluginMethod.IRECV_CONSUMED)
            : validation.setup.beside(PluginMethod.IRECV_CONSUMED)) {
      call.with("n", n).begins();
      call.admit();
      if (!ours) {
        call.mistake("NET-ERR-02", "the comm is not of this network: " + comm);
      }
      devices.requireSupported(call, OptionalOperation.IRECV_CONSUMED);
      try {
        net.irecvConsumed(Tokens.plugins(comm), n, Tokens.plugins(request));
      } catch (Throwable e) {
        throw call.threw(e);
      }
      call.returned("ok");
      if (request instanceof Tokens.OfRequest token) {
        token.state.operations.endAndDrop(token);
      }
    }
  }
}
