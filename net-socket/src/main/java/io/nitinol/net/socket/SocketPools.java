// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.net.socket.stream.ChunkHeader;
import io.nitinol.net.socket.stream.OutStream;
import io.nitinol.net.socket.wire.BufferPool;
import io.nitinol.toolkit.thread.AnyThread;

/**
 * The pools of buffers that all comms of one plugin instance share. A token that has other pools is
 * another instance's.
 */
@AnyThread
final class SocketPools {
  /** Sending comms stage messages in these. */
  final BufferPool staging;

  /** Receiving comms read ahead into these. */
  final BufferPool ahead;

  /** Sending data streams keep headers and the beginning of chunks in these. */
  final BufferPool chunks = new BufferPool(OutStream.BUFFER);

  /** Receiving data streams read headers into these. */
  final BufferPool headers = new BufferPool(ChunkHeader.HEADER);

  SocketPools() {
    this(new BufferPool(SocketSendComm.STAGING), new BufferPool(SocketRecvComm.AHEAD));
  }

  SocketPools(BufferPool staging, BufferPool ahead) {
    this.staging = staging;
    this.ahead = ahead;
  }
}
