// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v12.NetProperties;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known of a comm. */
final class CommState extends Tracked {
  /** The size of the group, and the place in it, of a member of one; 0 of others. */
  int nranks;

  int rank;

  /** Null where the plugin did not tell. */
  final @Nullable NetProperties properties;

  final OperationTracker operations = new OperationTracker(this);

  /**
   * Where the plugin writes sizes; used by the thread in a call that one thread at a time may make.
   */
  private final SizesBuffer sizes = new SizesBuffer();

  /** What failed the comm (NET-ERR-05); null while it works. */
  volatile @Nullable ResultCode failed;

  /** Whether memory was deregistered that operations use: only close may follow (NET-REG-08). */
  volatile boolean tearingDown;

  private final Set<Registration> registrations =
      Collections.newSetFromMap(new IdentityHashMap<>()); // guarded by itself
  private final IdentityHashMap<Object, Registration> handles =
      new IdentityHashMap<>(); // and so is this

  private final ReceiveArrays arrays = new ReceiveArrays();

  CommState(
      Validation validation,
      String kind,
      int device,
      @Nullable ContextState context,
      @Nullable NetProperties properties) {
    super(validation, kind, validation.number(), device, context);
    this.properties = properties;
  }

  /** Returns whether memory registered with one of two comms is good for both (NET-REG-14). */
  boolean shares(CommState other) {
    return properties != null && properties.regIsGlobal() && other.device == device;
  }

  /** Returns the longest message that the caller may send (NET-SEND-06). */
  long longestMessage() {
    return properties == null ? Long.MAX_VALUE : properties.maxP2pBytes();
  }

  /** Returns whether all memory of this comm is the host's, so that nothing is ever flushed. */
  boolean isHostOnly() {
    return properties != null && !PointerType.CUDA.in(properties.ptrSupport());
  }

  /** Returns arrays for the plugin, the comm's own unless another thread may be using them. */
  ReceiveArrays arrays(ValidatedCall call) {
    return call.isAlone() ? arrays : new ReceiveArrays();
  }

  /** Returns an array for the sizes, likewise. */
  SizesBuffer sizes(ValidatedCall call) {
    return call.isAlone() ? sizes : new SizesBuffer();
  }

  /** Adds a registration; returns another one with the same handle that is alive, or null. */
  @Nullable Registration add(Registration registration) {
    synchronized (registrations) {
      registrations.add(registration);
      return handles.putIfAbsent(registration.plugins, registration);
    }
  }

  /** Forgets a registration that was undone. */
  void remove(Registration registration) {
    synchronized (registrations) {
      if (!registrations.remove(registration)) {
        return;
      }
      handles.remove(registration.plugins, registration);
    }
    registration.dead = true;
    ValidatedRegion region = registration.region;
    if (region != null) {
      validation.areas.unregister(registration.memory, region);
    }
  }

  /** Returns the registrations that are left. */
  List<Registration> registrations() {
    synchronized (registrations) {
      return new ArrayList<>(registrations);
    }
  }

  /** Notes what an operation threw: but for INVALID_ARGUMENT, the comm has failed. */
  void threw(ValidatedCall call, Throwable thrown) {
    if (call.isExcused()) {
      return; // after a forbidden call nothing is certain
    }
    ResultCode code = thrown instanceof NetException net ? net.result() : ResultCode.INTERNAL_ERROR;
    if (code != ResultCode.INVALID_ARGUMENT && failed == null) {
      failed = code;
    }
  }

  /** Checks what holds for operations and tests, but not for giving back. */
  void requireUsable(ValidatedCall call) {
    if (tearingDown) {
      call.caller(
          "NET-REG-08",
          "memory was deregistered while operations used it; only the close may follow");
    }
  }
}
