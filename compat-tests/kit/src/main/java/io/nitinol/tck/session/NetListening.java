// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;

/** A listener and its handle. */
public final class NetListening {
  private final TestedNet net;
  private final ListenComm comm;
  private final MemorySegment handle;
  private boolean closed;

  NetListening(TestedNet net, ListenComm comm, MemorySegment handle) {
    this.net = net;
    this.comm = comm;
    this.handle = handle;
  }

  /** Returns the instance that listens. */
  public TestedNet net() {
    return net;
  }

  /** Returns the listener. */
  public ListenComm comm() {
    return comm;
  }

  /** Returns the handle as listen wrote it; each attempt to connect takes a copy. */
  public MemorySegment handle() {
    return handle;
  }

  /** Returns the same listener with its handle in other memory; closing stays with this one. */
  public NetListening withHandleAt(MemorySegment other) {
    return new NetListening(net, comm, other);
  }

  /** Closes the listener the first time. */
  public synchronized void close() {
    if (!closed) {
      closed = true;
      net.closeListen(comm);
    }
  }
}
