// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the caller holds in place of the plugin's own tokens. The plugin gets its own ones back; one
 * of another decorator is foreign, and the plugin gets what the other plugin made; one that no
 * decorator gave out is passed on as it is.
 */
final class Tokens {
  private Tokens() {}

  /** A comm of either kind. */
  sealed interface OfComm extends Comm {
    /** Returns what is known of it. */
    CommState state();
  }

  record OfSend(CommState state, SendComm plugins) implements SendComm, OfComm {}

  record OfRecv(CommState state, RecvComm plugins) implements RecvComm, OfComm {}

  record OfColl(CommState state, CollComm plugins) implements CollComm, OfComm {}

  record OfListener(ListenerState state, ListenComm plugins) implements ListenComm {}

  /** One operation; made anew for each, so that a use after its end is seen whenever it comes. */
  static final class OfRequest implements Request {
    final CommState state;
    final Request plugins;
    final long number;

    /** Null once the request is dead. */
    volatile @Nullable ValidatedOperation operation;

    OfRequest(CommState state, Request plugins, ValidatedOperation operation) {
      this.state = state;
      this.plugins = plugins;
      this.number = operation.number;
      this.operation = operation;
    }

    @Override
    public String toString() {
      return "request " + number + " of " + state;
    }
  }

  static Comm plugins(Comm comm) {
    return switch (comm) {
      case OfSend send -> send.plugins();
      case OfRecv recv -> recv.plugins();
      case OfColl coll -> coll.plugins();
      case null, default -> comm;
    };
  }

  static SendComm plugins(SendComm comm) {
    return comm instanceof OfSend own ? own.plugins() : comm;
  }

  static RecvComm plugins(RecvComm comm) {
    return comm instanceof OfRecv own ? own.plugins() : comm;
  }

  static CollComm plugins(CollComm comm) {
    return comm instanceof OfColl own ? own.plugins() : comm;
  }

  static NetContext plugins(NetContext context) {
    return context instanceof ContextState own ? own.plugins : context;
  }

  static Request plugins(Request request) {
    return request instanceof OfRequest own ? own.plugins : request;
  }

  static ListenComm plugins(ListenComm listener) {
    return listener instanceof OfListener own ? own.plugins() : listener;
  }

  static MemoryHandle plugins(MemoryHandle handle) {
    return handle instanceof Registration own ? own.plugins : handle;
  }

  static MemoryHandle[] plugins(MemoryHandle[] handles) {
    MemoryHandle[] own = Arrays.copyOf(handles, handles.length, MemoryHandle[].class);
    for (int i = 0; i < own.length; i++) {
      own[i] = plugins(own[i]);
    }
    return own;
  }
}
