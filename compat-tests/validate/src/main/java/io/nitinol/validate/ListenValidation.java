// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.v12.Net;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Listeners and handle buffers: NET-CONN-01 to NET-CONN-03, NET-V4-01. */
final class ListenValidation {
  private static final long ALIGNMENT = 8;
  private static final int MARGIN = 64;
  private static final byte MARK = (byte) 0xa5;

  private final ValidatedPlugin plugin;
  private final Validation validation;
  private final StartValidation start;
  private final DeviceValidation devices;

  ListenValidation(
      ValidatedPlugin plugin,
      Validation validation,
      StartValidation start,
      DeviceValidation devices) {
    this.plugin = plugin;
    this.validation = validation;
    this.start = start;
    this.devices = devices;
  }

  ListenComm listen(NetContext context, int device, MemorySegment handle) {
    try (ValidatedCall call = validation.setup.beside(PluginMethod.LISTEN)) {
      call.with("device", device).begins();
      call.admit();
      start.requireStarted(call);
      ContextState known = start.requireContext(call, context);
      devices.requireDevice(call, device);
      boolean fits = checkBuffer(call, handle);
      if (fits && !isZero(handle.asSlice(0, Net.HANDLE_MAXSIZE))) {
        call.caller("NET-CONN-02", "the handle buffer for listen is not zeroed");
      }
      return fits
          ? listenWithMargin(call, context, known, device, handle)
          : listenAsIs(call, context, known, device, handle);
    }
  }

  /** Checks a handle buffer; returns whether it can be read and written here. */
  static boolean checkBuffer(ValidatedCall call, MemorySegment handle) {
    if (handle.byteSize() < Net.HANDLE_MAXSIZE) {
      call.mistake(
          "NET-CONN-03",
          "the handle buffer has " + handle.byteSize() + " of " + Net.HANDLE_MAXSIZE + " bytes");
      return false;
    }
    boolean usable = handle.scope().isAlive() && handle.isAccessibleBy(Thread.currentThread());
    if (!usable || !handle.isNative() || handle.isReadOnly() || handle.address() % ALIGNMENT != 0) {
      call.caller(
          "NET-CONN-02",
          "the handle buffer is not live native memory, aligned to 8 and writable by this thread: "
              + handle);
    }
    return usable && !handle.isReadOnly();
  }

  private ListenComm listenAsIs(
      ValidatedCall call,
      NetContext context,
      @Nullable ContextState known,
      int device,
      MemorySegment handle) {
    ListenComm answer = call.ask(() -> plugin.listen(Tokens.plugins(context), device, handle));
    return made(call, known, device, answer, new byte[0]);
  }

  /** Lets the plugin fill a buffer behind which the bytes are known. */
  private ListenComm listenWithMargin(
      ValidatedCall call,
      NetContext context,
      @Nullable ContextState known,
      int device,
      MemorySegment handle) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment wide = arena.allocate(Net.HANDLE_MAXSIZE + MARGIN, ALIGNMENT);
      wide.asSlice(Net.HANDLE_MAXSIZE).fill(MARK);
      MemorySegment own = wide.asSlice(0, Net.HANDLE_MAXSIZE);
      own.copyFrom(handle.asSlice(0, Net.HANDLE_MAXSIZE));
      ListenComm answer = call.ask(() -> plugin.listen(Tokens.plugins(context), device, own));
      handle.copyFrom(own);
      byte[] bytes = own.toArray(ValueLayout.JAVA_BYTE);
      ListenComm token = made(call, known, device, answer, bytes);
      try {
        checkWritten(call, bytes, wide.asSlice(Net.HANDLE_MAXSIZE));
      } catch (NetException e) {
        throw withdraw(token, answer, e);
      }
      return token;
    }
  }

  private void checkWritten(ValidatedCall call, byte[] bytes, MemorySegment margin) {
    if (bytesOf(bytes, 0, validation.handleBytes()) == 0) {
      call.plugin("NET-CONN-01", "the handle is empty");
    }
    if (bytesOf(bytes, validation.handleBytes(), bytes.length) != 0) {
      call.plugin("NET-V4-01", "bytes of the handle behind the first 64 were written");
    }
    for (byte b : margin.toArray(ValueLayout.JAVA_BYTE)) {
      if (b != MARK) {
        call.plugin("NET-CONN-03", "bytes behind the handle buffer were written");
        return;
      }
    }
  }

  private ListenComm made(
      ValidatedCall call,
      @Nullable ContextState known,
      int device,
      ListenComm answer,
      byte[] bytes) {
    call.returned(answer == null ? "null" : "a listener");
    if (answer == null) {
      call.plugin("NET-CONN-01", "listen returned null");
      return answer;
    }
    ListenerState state = new ListenerState(validation, device, known, bytes);
    Tracked other = validation.born(answer, state);
    if (other != null) {
      call.plugin("NET-CONN-01", "listen returned the token of " + other + ", which is open");
    }
    return new Tokens.OfListener(state, answer);
  }

  /** Closes what the caller will not get, since the call fails for another reason. */
  private NetException withdraw(ListenComm token, ListenComm answer, NetException reason) {
    if (token instanceof Tokens.OfListener own) {
      validation.gone(answer, own.state());
    }
    try {
      plugin.closeListen(answer);
    } catch (RuntimeException e) {
      reason.addSuppressed(e);
    }
    return reason;
  }

  void closeListen(ListenComm listener) {
    if (!(listener instanceof Tokens.OfListener own) || own.state().validation != validation) {
      try (ValidatedCall call = validation.setup.beside(PluginMethod.CLOSE_LISTEN)) {
        call.begins();
        call.mistake("NET-ERR-02", "the listener is not of this network: " + listener);
        closeListen(call, Tokens.plugins(listener));
      }
      return;
    }
    ListenerState state = own.state();
    try (ValidatedCall call = state.close(PluginMethod.CLOSE_LISTEN)) {
      call.begins();
      call.admit();
      boolean first = !state.closed;
      state.closed = true;
      try {
        closeListen(call, own.plugins());
      } finally {
        if (first) {
          validation.gone(own.plugins(), state);
        }
      }
    }
  }

  private void closeListen(ValidatedCall call, ListenComm plugins) {
    call.tell(() -> plugin.closeListen(plugins));
  }

  private static boolean isZero(MemorySegment segment) {
    byte[] bytes = segment.toArray(ValueLayout.JAVA_BYTE);
    return bytesOf(bytes, 0, bytes.length) == 0;
  }

  /** Returns how many of the bytes are not zero. */
  private static int bytesOf(byte[] bytes, int from, int to) {
    int count = 0;
    for (int i = from; i < to; i++) {
      count += bytes[i] != 0 ? 1 : 0;
    }
    return count;
  }
}
