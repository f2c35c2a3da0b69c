// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The state of an object that calls name: a listener, a comm, or the network itself. Detects when
 * two threads are in it at once (NET-THREAD-03, NET-THREAD-04).
 */
class Tracked {
  private static final int LAST_CALLS = 24;

  final Validation validation;
  final LastCalls calls = new LastCalls(LAST_CALLS);
  private final String kind;
  private final long number;
  final int device;

  /** The communicator's context that it was opened in; null where that is not known. */
  final @Nullable ContextState context;

  /** The thread in a call that one thread at a time may make; null when there is none. */
  private final AtomicReference<@Nullable Thread> driver = new AtomicReference<>();

  /** The thread that registers or undoes a registration; null when there is none. */
  private final AtomicReference<@Nullable Thread> registrar = new AtomicReference<>();

  volatile boolean closed;

  // Used by the thread that holds the role, so that a call allocates nothing.
  private final ValidatedCall driving = new ValidatedCall(this);
  private final ValidatedCall registering = new ValidatedCall(this);

  Tracked(Validation validation, String kind, long number, int device) {
    this(validation, kind, number, device, null);
  }

  Tracked(
      Validation validation, String kind, long number, int device, @Nullable ContextState context) {
    this.validation = validation;
    this.kind = kind;
    this.number = number;
    this.device = device;
    this.context = context;
  }

  /** Begins a call that any number of threads may make at once. */
  ValidatedCall beside(PluginMethod method) {
    return new ValidatedCall(this).reset(method, null, null);
  }

  /** Begins a call that one thread at a time may make. */
  ValidatedCall drive(PluginMethod method) {
    return drive(method, "NET-THREAD-03");
  }

  /** As above, where another rule says so. */
  ValidatedCall drive(PluginMethod method, String rule) {
    Thread other = enter(driver);
    return other == null
        ? driving.reset(method, driver, null)
        : new ValidatedCall(this).reset(method, null, null).meeting(rule, other);
  }

  /** Begins a registration, or its undoing. */
  ValidatedCall register(PluginMethod method) {
    Thread other = enter(registrar);
    return other == null
        ? registering.reset(method, registrar, null)
        : new ValidatedCall(this).reset(method, null, null).meeting("NET-THREAD-04", other);
  }

  /** Begins a close, which nothing else may run beside. */
  ValidatedCall close(PluginMethod method) {
    Thread other = enter(driver);
    if (other != null) {
      return new ValidatedCall(this)
          .reset(method, null, null)
          .meeting("NET-THREAD-03", other)
          .cleansUp();
    }
    Thread registers = enter(registrar);
    ValidatedCall call =
        driving.reset(method, driver, registers == null ? registrar : null).cleansUp();
    return registers == null ? call : call.meeting("NET-THREAD-04", registers);
  }

  /** Takes a role; returns null, or the thread that has it. */
  private static @Nullable Thread enter(AtomicReference<@Nullable Thread> role) {
    return role.compareAndExchangeAcquire(null, Thread.currentThread());
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(kind);
    if (number > 0) {
      text.append(' ').append(number).append(" of");
    }
    text.append(' ').append(validation.network);
    if (device >= 0) {
      text.append(" device ").append(device);
    }
    return text.toString();
  }
}
