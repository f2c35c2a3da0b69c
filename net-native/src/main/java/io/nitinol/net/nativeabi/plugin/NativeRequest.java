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
  private final long[] rooms;
  private boolean live;
  private boolean complete;

  NativeRequest(NativeEnd comm) {
    this.comm = comm;
    this.rooms = new long[comm.device.maxRecvs()];
  }

  void begin(long request, Kind what, int n) {
    address = request;
    kind = what;
    pieces = n;
    live = true;
  }

  /** Says that the operation is over, and that the plugin keeps its request until it is used. */
  void complete() {
    live = false;
    complete = true;
  }

  void end() {
    live = false;
    complete = false;
  }

  /** Returns whether only irecvConsumed may follow. */
  boolean isComplete() {
    return complete;
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

  /** Remembers how many bytes a piece of a receive has room for. */
  void room(int piece, long bytes) {
    rooms[piece] = bytes;
  }

  /** Returns how many bytes a piece of a receive has room for. */
  long room(int piece) {
    return rooms[piece];
  }

  /** Returns how many sizes the plugin reports. */
  int pieces() {
    return pieces;
  }
}
