// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Connections: NET-CONN-05 to NET-CONN-10, and closes. */
final class ConnectValidation {
  private static final String OVERFLOW = "bytes behind the handle buffer were written";

  private final Net net;
  private final Validation validation;
  private final StartValidation start;
  private final DeviceValidation devices;
  private final Attempts attempts = new Attempts();

  ConnectValidation(
      Net net, Validation validation, StartValidation start, DeviceValidation devices) {
    this.net = net;
    this.validation = validation;
    this.start = start;
    this.devices = devices;
  }

  @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] offload) {
    try (ValidatedCall call =
        validation.setup.beside(PluginMethod.CONNECT).mayWait(validation.mayWait())) {
      call.with("device", device).begins();
      call.admit();
      start.requireStarted(call);
      ContextState known = start.requireContext(call, context);
      boolean asked = isOffloadAsked(call, offload);
      devices.requireDevice(call, device);
      Attempts.Attempt attempt = null;
      byte[] behind = {};
      if (ListenValidation.checkBuffer(call, handle)) {
        behind = behind(handle);
        attempt = attempts.enter(call, device, handle);
      }
      SendComm answer = null;
      boolean goesOn = false;
      try {
        answer = net.connect(Tokens.plugins(context), device, handle, offload);
        goesOn = answer == null;
      } catch (Throwable e) {
        throw call.threw(e);
      } finally {
        if (attempt != null && goesOn) {
          attempts.goesOn(attempt, handle);
        } else if (attempt != null) {
          attempts.end(attempt, handle);
        }
      }
      String wrong = attempt != null && changed(handle, behind) ? OVERFLOW : null;
      return connected(call, known, device, answer, wrong, asked ? null : offload);
    }
  }

  /** Checks the array for a device handle; returns whether the caller wants one. */
  private static boolean isOffloadAsked(ValidatedCall call, @Nullable DeviceHandle[] offload) {
    if (offload.length == 0) {
      call.mistake("NET-OPT-04", "the array for a device handle is empty");
      return true;
    }
    return offload[0] != null;
  }

  private static void checkOffload(
      ValidatedCall call, @Nullable DeviceHandle @Nullable [] unasked) {
    if (unasked != null && unasked.length > 0 && unasked[0] != null) {
      call.plugin("NET-OPT-04", "a device handle, which was not asked for: " + unasked[0]);
    }
  }

  private @Nullable SendComm connected(
      ValidatedCall call,
      @Nullable ContextState context,
      int device,
      @Nullable SendComm answer,
      @Nullable String overflow,
      @Nullable DeviceHandle @Nullable [] unasked) {
    CommState state = null;
    Tracked other = null;
    if (answer != null) {
      state = new CommState(validation, "send comm", device, context, devices.known(device));
      other = validation.born(answer, state);
    }
    call.returned(answer == null ? "null" : "a comm");
    try {
      if (overflow != null) {
        call.plugin("NET-CONN-03", overflow);
      }
      if (answer != null) {
        checkOffload(call, unasked);
      }
      if (other != null) {
        call.plugin("NET-CONN-06", "connect returned the token of " + other + ", which is open");
      }
    } catch (NetException e) {
      throw withdraw(answer, state, other, net::closeSend, e);
    }
    return answer == null || state == null ? null : new Tokens.OfSend(state, answer);
  }

  @Nullable RecvComm accept(ListenComm listener, @Nullable DeviceHandle[] offload) {
    if (!(listener instanceof Tokens.OfListener own) || own.state().validation != validation) {
      try (ValidatedCall call = validation.setup.beside(PluginMethod.ACCEPT)) {
        call.begins();
        call.mistake("NET-ERR-02", "the listener is not of this network: " + listener);
        RecvComm answer = call.ask(() -> net.accept(Tokens.plugins(listener), offload));
        call.returned(answer == null ? "null" : "a comm");
        return answer;
      }
    }
    try (ValidatedCall call =
        own.state().drive(PluginMethod.ACCEPT).mayWait(validation.mayWait())) {
      call.begins();
      call.admit();
      boolean asked = isOffloadAsked(call, offload);
      RecvComm answer = call.ask(() -> net.accept(own.plugins(), offload));
      call.returned(answer == null ? "null" : "a comm");
      return answer == null ? null : accepted(call, own.state(), answer, asked ? null : offload);
    }
  }

  private RecvComm accepted(
      ValidatedCall call,
      ListenerState listener,
      RecvComm answer,
      @Nullable DeviceHandle @Nullable [] unasked) {
    int device = listener.device;
    CommState state =
        new CommState(validation, "receive comm", device, listener.context, devices.known(device));
    Tracked other = validation.born(answer, state);
    if (other != null) {
      call.plugin("NET-CONN-10", "accept returned the token of " + other + ", which is open");
    }
    try {
      checkOffload(call, unasked);
    } catch (NetException e) {
      throw withdraw(answer, state, other, net::closeRecv, e);
    }
    return new Tokens.OfRecv(state, answer);
  }

  /** Closes what the caller will not get, since the call fails for another reason. */
  private <C extends Comm> NetException withdraw(
      @Nullable C answer,
      @Nullable CommState state,
      @Nullable Tracked other,
      Consumer<C> close,
      NetException reason) {
    if (answer != null && state != null && other == null) {
      validation.gone(answer, state);
      try {
        close.accept(answer);
      } catch (RuntimeException e) {
        reason.addSuppressed(e);
      }
    }
    return reason;
  }

  private static byte[] behind(MemorySegment handle) {
    return handle.asSlice(Net.HANDLE_MAXSIZE).toArray(ValueLayout.JAVA_BYTE);
  }

  private static boolean changed(MemorySegment handle, byte[] behind) {
    return behind.length > 0 && !Arrays.equals(behind, behind(handle));
  }
}
