// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import java.lang.foreign.MemorySegment;

/** A listener in the process of a {@link Peer}. */
public final class PeerListener {
  private final Peer peer;
  private final int id;
  private final MemorySegment handle;

  PeerListener(Peer peer, int id, MemorySegment handle) {
    this.peer = peer;
    this.id = id;
    this.handle = handle;
  }

  /** Returns the handle as listen wrote it there; each attempt to connect takes a copy. */
  public MemorySegment handle() {
    return handle;
  }

  /** Returns the receiving end of a future connection. Makes no call yet. */
  public PeerEnd accepting() {
    return new PeerEnd(peer, "accept", Integer.toString(id));
  }

  /** Closes the listener. */
  public void close() {
    peer.ask("NET-CLOSE-07", "closeListen", 0, text -> text, "unlisten", id).get();
  }
}
