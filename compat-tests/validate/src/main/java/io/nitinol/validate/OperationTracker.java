// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.net.Request;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The operations in flight on one comm. Its lock is that comm's own and held for moments, so that
 * callers that break NET-THREAD-03 do not break this.
 */
final class OperationTracker {
  private final CommState state;
  private final IdentityHashMap<Request, ValidatedOperation> inFlight = new IdentityHashMap<>();
  private final ArrayDeque<ValidatedOperation> pool = new ArrayDeque<>();
  private long numbers;

  OperationTracker(CommState state) {
    this.state = state;
  }

  /** Returns a record for an operation that is about to start. */
  synchronized ValidatedOperation take(ValidatedOperation.Kind kind) {
    ValidatedOperation operation = pool.poll();
    if (operation == null) {
      operation = new ValidatedOperation();
    }
    operation.reset(kind);
    return operation;
  }

  /** Takes back the record of an operation that did not start. */
  synchronized void drop(ValidatedOperation operation) {
    operation.release();
    pool.push(operation);
  }

  /** Notes that the plugin started the operation; returns the caller's token. */
  Tokens.OfRequest started(ValidatedCall call, ValidatedOperation operation, Request plugins) {
    ValidatedOperation before;
    Tokens.OfRequest token;
    synchronized (this) {
      operation.number = ++numbers;
      operation.plugins = plugins;
      token = new Tokens.OfRequest(state, plugins, operation);
      operation.token = token;
      before = inFlight.put(plugins, operation);
      for (int i = 0; i < operation.pieces; i++) {
        Registration registration = operation.memory(i);
        use(registration, 1);
      }
    }
    call.returned("request", operation.number);
    if (before != null) {
      call.plugin(
          "NET-TEST-05",
          ErrorText.of(
              "returned the request object of %s %d, which has not ended",
              before.kind.label, before.number));
    }
    return token;
  }

  /**
   * Makes the caller's token of an operation dead.
   *
   * @return whether it was alive; then the record is the caller's, to {@link #drop}
   */
  synchronized boolean end(ValidatedOperation operation) {
    Tokens.OfRequest token = operation.token;
    Request plugins = operation.plugins;
    if (token == null || plugins == null) {
      return false;
    }
    token.operation = null;
    operation.token = null;
    inFlight.remove(plugins, operation);
    for (int i = 0; i < operation.pieces; i++) {
      Registration registration = operation.memory(i);
      use(registration, -1);
    }
    return true;
  }

  private void use(@Nullable Registration registration, int more) {
    if (registration != null && registration.state == state) {
      registration.users += more;
    } else if (registration != null) {
      registration.usersElsewhere.addAndGet(more);
    }
  }

  /** Makes a token dead, and the record of its operation free. */
  synchronized void endAndDrop(Tokens.OfRequest token) {
    ValidatedOperation operation = token.operation;
    if (operation != null && end(operation)) {
      drop(operation);
    }
  }

  /** Ends all operations, since their comm is closed. */
  synchronized void endAll() {
    for (ValidatedOperation operation : new ArrayList<>(inFlight.values())) {
      if (end(operation)) {
        drop(operation);
      }
    }
    inFlight.clear();
  }

  /** Returns how many operations in flight use {@code registration}. */
  synchronized int users(Registration registration) {
    return registration.users;
  }

  /** Looks at the memory of a send, to know it again. */
  static void fingerprint(ValidatedOperation operation) {
    operation.fingerprint = fingerprintOf(operation);
  }

  /** Returns whether the memory of a send is not what it was. */
  static boolean hasChanged(ValidatedOperation operation) {
    if (operation.fingerprint == 0) {
      return false;
    }
    long now = fingerprintOf(operation);
    return now != 0 && now != operation.fingerprint;
  }

  private static long fingerprintOf(ValidatedOperation operation) {
    Registration registration = operation.memory(0);
    MemorySegment memory = registration == null ? null : registration.readable();
    if (memory == null) {
      return 0;
    }
    try {
      return Fingerprint.of(memory, operation.offset(0), operation.length(0));
    } catch (IllegalStateException e) {
      return 0; // freed while it was read, which is reported by the next call that looks
    }
  }

  /** Samples the pieces of a receive. */
  static void sample(ValidatedOperation operation) {
    for (int i = 0; i < operation.pieces; i++) {
      TailSamples tail = operation.tail(i);
      tail.clear();
      Registration registration = operation.memory(i);
      MemorySegment memory = registration == null ? null : registration.readable();
      if (memory != null) {
        try {
          tail.take(memory, operation.offset(i), operation.length(i));
        } catch (IllegalStateException e) {
          tail.clear(); // as above
        }
      }
    }
  }

  /** Returns a position behind the message in a piece whose byte has changed, or -1. */
  static long changeBehind(ValidatedOperation operation, int piece, long size) {
    Registration registration = operation.memory(piece);
    MemorySegment memory = registration == null ? null : registration.readable();
    if (memory == null) {
      return -1;
    }
    try {
      return operation.tail(piece).firstChange(memory, operation.offset(piece), size);
    } catch (IllegalStateException e) {
      return -1; // as above
    }
  }
}
