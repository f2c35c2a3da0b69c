// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Joining a group: COLL-01 to COLL-04, as far as one member sees. */
final class GroupValidation {
  private final CollNet net;
  private final Validation validation;
  private final DeviceValidation devices;

  GroupValidation(CollNet net, Validation validation, DeviceValidation devices) {
    this.net = net;
    this.validation = validation;
    this.devices = devices;
  }

  CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listener) {
    if (!(listener instanceof Tokens.OfListener own) || own.state().validation != validation) {
      try (ValidatedCall call = validation.setup.beside(PluginMethod.JOIN)) {
        call.with("nranks", nranks).with("rank", rank).begins();
        call.mistake("NET-ERR-02", "the listener is not of this network: " + listener);
        CollComm answer =
            call.ask(() -> net.connect(handles, nranks, rank, Tokens.plugins(listener)));
        call.returned("a comm");
        return answer;
      }
    }
    ListenerState state = own.state();
    try (ValidatedCall call = state.drive(PluginMethod.JOIN)) {
      call.with("nranks", nranks).with("rank", rank).begins();
      call.admit();
      byte[][] before = check(call, handles, nranks, rank, state);
      CollComm answer;
      try {
        answer = net.connect(handles, nranks, rank, own.plugins());
      } catch (Throwable e) {
        if (e instanceof NetException thrown && thrown.result() == ResultCode.INVALID_ARGUMENT) {
          state.joined.set(false); // refused: the listener has served no connect (NET-ERR-03)
        }
        throw call.threw(e);
      }
      CollComm token = joined(call, state, answer, !Arrays.deepEquals(before, bytes(handles)));
      if (token instanceof Tokens.OfColl member) {
        member.state().nranks = nranks;
        member.state().rank = rank;
      }
      return token;
    }
  }

  private static byte[][] check(
      ValidatedCall call, MemorySegment[] handles, int nranks, int rank, ListenerState state) {
    boolean fit = true;
    for (MemorySegment handle : handles) {
      boolean enough = handle.byteSize() >= CollNet.HANDLE_MAXSIZE;
      if (!enough) {
        call.mistake(
            "COLL-02",
            "a handle of " + handle.byteSize() + " of " + CollNet.HANDLE_MAXSIZE + " bytes");
      } else if (!handle.isNative() || handle.address() % 8 != 0) {
        call.caller("NET-CONN-02", "a handle is not native memory aligned to 8: " + handle);
      }
      fit &= enough;
    }
    if (handles.length < nranks || rank < 0 || rank >= nranks) {
      call.mistake(
          "COLL-02", "rank " + rank + " of " + nranks + " with " + handles.length + " handles");
      fit = false;
    }
    byte[][] bytes = bytes(handles);
    if (fit && !begins(bytes[rank], state.handle)) {
      call.caller("COLL-01", "handle " + rank + " is not the one that listen wrote here");
    }
    if (!state.joined.compareAndSet(false, true)) {
      call.caller("COLL-01", "the listener has served a connect before");
    }
    return bytes;
  }

  private static boolean begins(byte[] handle, byte[] with) {
    return Arrays.equals(handle, 0, with.length, with, 0, with.length);
  }

  private static byte[][] bytes(MemorySegment[] handles) {
    byte[][] bytes = new byte[handles.length][];
    Arrays.setAll(bytes, i -> handles[i].toArray(ValueLayout.JAVA_BYTE));
    return bytes;
  }

  private CollComm joined(
      ValidatedCall call, ListenerState listener, CollComm answer, boolean changed) {
    call.returned(answer == null ? "null" : "a comm");
    if (answer == null) {
      call.plugin("COLL-03", "connect returned null");
      return answer;
    }
    int device = listener.device;
    CommState state =
        new CommState(validation, "member", device, listener.context, devices.known(device));
    Tracked other = validation.born(answer, state);
    if (other != null) {
      call.plugin("COLL-21", "connect returned the token of " + other + ", which is open");
    }
    if (changed) {
      call.plugin("COLL-03", "connect changed the handles");
    }
    return new Tokens.OfColl(state, answer);
  }
}
