// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.toolkit.ErrorText;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reductions and their flushes: COLL-07 to COLL-17, as far as one member sees. */
final class ReductionValidation {
  private final CollNet net;
  private final Validation validation;
  private final StartValidation start;
  private final Map<DataType, Map<ReductionOp, Boolean>> supported =
      new EnumMap<>(DataType.class); // guarded by itself

  ReductionValidation(CollNet net, Validation validation, StartValidation start) {
    this.net = net;
    this.validation = validation;
    this.start = start;
  }

  boolean reduceSupport(DataType dataType, ReductionOp op) {
    try (ValidatedCall call = validation.setup.beside(PluginMethod.REDUCE_SUPPORT)) {
      call.with(dataType + ", " + op).begins();
      call.admit();
      start.requireStarted(call);
      if (op == ReductionOp.AVG) {
        call.oversight("COLL-08", "AVG was shown to a plugin");
      }
      boolean answer = call.ask(() -> net.reduceSupport(dataType, op));
      call.returned(Boolean.toString(answer));
      if (op == ReductionOp.AVG && answer) {
        call.plugin("COLL-09", "supports AVG, which no plugin does");
      }
      Boolean before;
      synchronized (supported) {
        before =
            supported
                .computeIfAbsent(dataType, t -> new EnumMap<>(ReductionOp.class))
                .put(op, answer);
      }
      if (before != null && before != answer) {
        call.plugin("COLL-07", before + " for " + dataType + ", " + op + " before, " + answer);
      }
      return answer;
    }
  }

  private boolean isDenied(DataType dataType, ReductionOp op) {
    synchronized (supported) {
      Map<ReductionOp, Boolean> answers = supported.get(dataType);
      return answers != null && Boolean.FALSE.equals(answers.get(op));
    }
  }

  @Nullable Request iallreduce(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      MemoryHandle recvMr,
      long recvOffset,
      long count,
      DataType dataType,
      ReductionOp op) {
    if (!(comm instanceof Tokens.OfColl own) || own.state().validation != validation) {
      return validation.foreign(
          PluginMethod.IALLREDUCE,
          comm,
          () ->
              net.iallreduce(
                  Tokens.plugins(comm),
                  Tokens.plugins(sendMr),
                  sendOffset,
                  Tokens.plugins(recvMr),
                  recvOffset,
                  count,
                  dataType,
                  op));
    }
    CommState state = own.state();
    try (ValidatedCall call = state.drive(PluginMethod.IALLREDUCE)) {
      call.with("from", sendOffset)
          .with("to", recvOffset)
          .with("count", count)
          .with("bytes each", dataType.size())
          .begins();
      call.admit();
      state.requireUsable(call);
      checkKind(call, count, dataType, op);
      ValidatedOperation operation = state.operations.take(ValidatedOperation.Kind.REDUCE);
      boolean started = false;
      try {
        long bytes =
            count < 0 || count > Long.MAX_VALUE / dataType.size() ? -1 : count * dataType.size();
        operation.resultBytes = bytes;
        boolean inPlace =
            claimAreas(call, state, operation, sendMr, sendOffset, recvMr, recvOffset, bytes);
        Request answer;
        try {
          answer =
              net.iallreduce(
                  own.plugins(),
                  Tokens.plugins(sendMr),
                  sendOffset,
                  Tokens.plugins(recvMr),
                  recvOffset,
                  count,
                  dataType,
                  op);
        } catch (Throwable e) {
          state.threw(call, e);
          throw call.threw(e);
        }
        if (answer != null && !inPlace) {
          OperationTracker.fingerprint(operation);
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

  private void checkKind(ValidatedCall call, long count, DataType dataType, ReductionOp op) {
    if (count < 0 || count > validation.maxCount()) {
      call.mistake("COLL-15", "a count of " + count);
    }
    checkPair(call, dataType, op);
  }

  /** Checks that the network reduces this. */
  void checkPair(ValidatedCall call, DataType dataType, ReductionOp op) {
    if (op == ReductionOp.AVG) {
      call.caller("COLL-08", "AVG was shown to a plugin");
    } else if (isDenied(dataType, op)) {
      call.mistake("COLL-16", "reduceSupport denied " + dataType + ", " + op);
    }
  }

  /** Checks and claims both areas; returns whether they are the same or cannot be read. */
  private static boolean claimAreas(
      ValidatedCall call,
      CommState state,
      ValidatedOperation operation,
      MemoryHandle sendMr,
      long sendOffset,
      MemoryHandle recvMr,
      long recvOffset,
      long bytes) {
    if (bytes < 0) {
      return true;
    }
    Registration from =
        PieceValidation.add(call, state, operation, "COLL-15", sendMr, sendOffset, bytes);
    Registration to =
        PieceValidation.add(call, state, operation, "COLL-15", recvMr, recvOffset, bytes);
    if (from == null || to == null) {
      return true;
    }
    long source = from.memory.address() + sendOffset;
    long target = to.memory.address() + recvOffset;
    boolean inPlace = source == target && from.memory.type() == to.memory.type();
    boolean apart = source + bytes <= target || target + bytes <= source || bytes == 0;
    if (!inPlace && !apart && from.memory.type() == to.memory.type()) {
      call.caller(
          "COLL-14",
          ErrorText.of(
              "the send area at 0x%x and the receive area at 0x%x overlap in part",
              source, target));
    } else if (!inPlace) {
      PieceValidation.claim(call, operation, from, sendOffset, bytes, false);
    }
    PieceValidation.claimToWrite(call, operation, to, recvOffset, bytes);
    return inPlace || !apart;
  }

  @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    if (!(comm instanceof Tokens.OfColl own) || own.state().validation != validation) {
      return validation.foreign(
          PluginMethod.IFLUSH,
          comm,
          () -> net.iflush(Tokens.plugins(comm), Tokens.plugins(mr), offset, length));
    }
    CommState state = own.state();
    try (ValidatedCall call = state.drive(PluginMethod.IFLUSH)) {
      call.with("offset", offset).with("length", length).begins();
      call.admit();
      state.requireUsable(call);
      ValidatedOperation operation = state.operations.take(ValidatedOperation.Kind.FLUSH);
      boolean started = false;
      try {
        PieceValidation.add(call, state, operation, "NET-RECV-16", mr, offset, length);
        Request answer;
        try {
          answer = net.iflush(own.plugins(), Tokens.plugins(mr), offset, length);
        } catch (Throwable e) {
          state.threw(call, e);
          throw call.threw(e);
        }
        started = answer != null;
        Request token = PieceValidation.started(call, state, operation, answer);
        if (token != null && (length == 0 || state.isHostOnly())) {
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
}
