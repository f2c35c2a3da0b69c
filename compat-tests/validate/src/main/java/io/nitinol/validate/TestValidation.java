// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Request;
import io.nitinol.toolkit.ErrorText;
import org.jspecify.annotations.Nullable;

/**
 * Completion: NET-TEST-*, the sizes of NET-RECV-04 and COLL-17, and whether memory is as it should
 * be (NET-SEND-09, NET-SEND-11, NET-RECV-05).
 */
final class TestValidation {
  private final ValidatedPlugin plugin;
  private final Validation validation;

  TestValidation(ValidatedPlugin plugin, Validation validation) {
    this.plugin = plugin;
    this.validation = validation;
  }

  boolean test(Request request, int @Nullable [] sizes) {
    if (!(request instanceof Tokens.OfRequest token) || token.state.validation != validation) {
      return testForeign(request, sizes);
    }
    CommState state = token.state;
    try (ValidatedCall call = state.drive(PluginMethod.TEST)) {
      call.with("request", token.number).with("sizes", sizes == null ? 0 : sizes.length).begins();
      call.admit();
      ValidatedOperation operation = token.operation;
      checkCaller(call, state, operation, sizes);
      int[] written = state.sizes(call).prepare(sizes);
      boolean done;
      try {
        done = plugin.test(token.plugins, written);
      } catch (Throwable e) {
        if (operation != null && !isInvalidArgument(e)) {
          state.threw(call, e);
          if (state.operations.end(operation)) {
            state.operations.drop(operation);
          }
        }
        throw call.threw(e);
      }
      int first = SizesBuffer.copy(written, sizes);
      if (!done || operation == null) {
        call.returned(done ? "true" : "false");
        if (!done && first >= 0) {
          call.plugin("NET-TEST-08", "wrote element " + first + " of sizes and answered false");
        }
        return done;
      }
      boolean alive = state.operations.end(operation);
      try {
        call.returned("true");
        checkFailed(call, state);
        if (alive) { // or another thread tests it too, which is reported
          check(call, operation, written);
        }
      } finally {
        if (alive) {
          state.operations.drop(operation);
        }
      }
      return true;
    }
  }

  private boolean testForeign(Request request, int @Nullable [] sizes) {
    try (ValidatedCall call = validation.setup.beside(PluginMethod.TEST)) {
      call.begins();
      call.mistake("NET-ERR-02", "the request is not of this network: " + request);
      boolean done = call.ask(() -> plugin.test(Tokens.plugins(request), sizes));
      call.returned(Boolean.toString(done));
      return done;
    }
  }

  private static void checkCaller(
      ValidatedCall call,
      CommState state,
      @Nullable ValidatedOperation operation,
      int @Nullable [] sizes) {
    if (state.closed) {
      return;
    }
    if (operation == null) {
      call.misuse("NET-TEST-06", "the request is dead: its operation has ended");
      return;
    }
    state.requireUsable(call);
    for (int i = 0; i < operation.pieces; i++) {
      Registration registration = operation.memory(i);
      if (registration != null) {
        PieceValidation.requireAlive(call, registration);
      }
    }
    int needed = operation.kind == ValidatedOperation.Kind.FLUSH ? 0 : operation.pieces;
    if (operation.kind.isCollective()) {
      needed = 1;
    }
    if (sizes != null && sizes.length < needed) {
      call.mistake("NET-TEST-07", sizes.length + " elements for " + needed + " sizes");
    }
  }

  private static void checkFailed(ValidatedCall call, CommState state) {
    ResultCode failed = state.failed;
    // What had arrived complete before the peer ended may still be reported (NET-ERR-09).
    if (failed != null && failed != ResultCode.REMOTE_ERROR) {
      call.plugin("NET-ERR-05", "answered true after the comm had failed with " + failed);
    }
  }

  private static void check(
      ValidatedCall call, ValidatedOperation operation, int @Nullable [] written) {
    switch (operation.kind) {
      case SEND -> {
        checkSize(call, "NET-TEST-08", written, operation.length(0));
        checkSent(call, operation, "NET-SEND-09", "NET-SEND-11");
      }
      case RECV -> {
        if (operation.optional) {
          return; // its sizes say nothing, and its message may still be on the way
        }
        for (int i = 0; written != null && i < Math.min(operation.pieces, written.length); i++) {
          checkPiece(call, operation, i, written);
        }
      }
      case REDUCE, GATHER, SCATTER -> {
        checkSize(call, "COLL-17", written, operation.resultBytes);
        checkSent(call, operation, "NET-SEND-09", "COLL-22");
      }
      case FLUSH -> {}
    }
    checkOthers(call, operation, written);
  }

  private static void checkSent(
      ValidatedCall call, ValidatedOperation operation, String callers, String plugins) {
    if (OperationTracker.hasChanged(operation)) {
      call.either(
          callers,
          ErrorText.of(
              "%s %d: the memory was written while it was in flight, by the caller, or by the"
                  + " plugin, which would break %s",
              operation.kind.label, operation.number, plugins));
    }
  }

  private static void checkSize(
      ValidatedCall call, String rule, int @Nullable [] written, long expected) {
    if (written == null || written.length == 0) {
      return;
    }
    if (!SizesBuffer.isWritten(written, 0)) {
      call.plugin(rule, "answered true and did not write the size, " + expected);
    } else if (written[0] != (int) expected) { // of more, the low 32 bits are told
      call.plugin(rule, "reports the size " + written[0] + ", it is " + expected);
    }
  }

  private static void checkPiece(
      ValidatedCall call, ValidatedOperation operation, int i, int[] written) {
    if (!SizesBuffer.isWritten(written, i)) {
      call.plugin("NET-RECV-04", "answered true and did not write the size of piece " + i);
      return;
    }
    if (operation.length(i) > Integer.MAX_VALUE) {
      return; // which sizes have these low bits cannot be told
    }
    int size = written[i];
    if (size < 0 || size > operation.length(i)) {
      call.plugin(
          "NET-RECV-04",
          "reports the size " + size + " for piece " + i + " of " + operation.length(i) + " bytes");
      return;
    }
    long changed = OperationTracker.changeBehind(operation, i, size);
    if (changed >= 0) {
      call.either(
          "NET-RECV-05",
          ErrorText.of(
              "byte %d of piece %d was written, behind a message of %d bytes, by the plugin, or"
                  + " by the caller, who would break NET-RECV-15",
              changed, i, size));
    }
  }

  private static void checkOthers(
      ValidatedCall call, ValidatedOperation operation, int @Nullable [] written) {
    int own =
        switch (operation.kind) {
          case RECV -> operation.pieces;
          case SEND, REDUCE, GATHER, SCATTER -> 1;
          case FLUSH -> 0;
        };
    for (int i = own; written != null && i < written.length; i++) {
      if (SizesBuffer.isWritten(written, i)) {
        call.plugin(
            "NET-TEST-08",
            "wrote element " + i + " of sizes; the operation has " + own + " of them");
        return;
      }
    }
  }

  private static boolean isInvalidArgument(Throwable e) {
    return e instanceof NetException net && net.result() == ResultCode.INVALID_ARGUMENT;
  }
}
