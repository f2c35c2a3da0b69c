// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.spi.net.Request;

/** An operation in flight in the plugin; pooled by its comm. */
final class NativeRequest implements Request {

  /** What an operation does. */
  enum Kind {
    SEND,
    RECV,
    FLUSH,
    COLLECTIVE
  }

  final NativeEnd comm;
  private long address;
  private Kind kind = Kind.SEND;
  private int pieces;
  private boolean live;

  NativeRequest(NativeEnd comm) {
    this.comm = comm;
  }

  void begin(long request, Kind what, int n) {
    address = request;
    kind = what;
    pieces = n;
    live = true;
  }

  void end() {
    live = false;
  }

  boolean isLive() {
    return live;
  }

  long address() {
    return address;
  }

  Kind kind() {
    return kind;
  }

  /** Returns how many sizes the plugin reports. */
  int pieces() {
    return pieces;
  }
}
