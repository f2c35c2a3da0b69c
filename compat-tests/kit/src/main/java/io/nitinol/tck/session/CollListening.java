// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;

/** A member's listener and its handle. */
public final class CollListening {
  private final TestedCollNet net;
  private final ListenComm comm;
  private final MemorySegment handle;
  private boolean closed;

  CollListening(TestedCollNet net, ListenComm comm, MemorySegment handle) {
    this.net = net;
    this.comm = comm;
    this.handle = handle;
  }

  /** Returns the instance that listens. */
  public TestedCollNet net() {
    return net;
  }

  /** Returns the listener. */
  public ListenComm comm() {
    return comm;
  }

  /** Returns the handle as listen wrote it; each member passes a copy. */
  public MemorySegment handle() {
    return handle;
  }

  /** Closes the listener the first time. */
  public synchronized void close() {
    if (!closed) {
      closed = true;
      net.closeListen(comm);
    }
  }
}
