// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.stream;

import io.nitinol.net.socket.request.RequestRing;
import io.nitinol.net.socket.request.SocketRequest;
import io.nitinol.net.socket.wire.BufferPool;
import io.nitinol.net.socket.wire.SocketMemory;
import io.nitinol.net.socket.wire.TestWire;
import io.nitinol.spi.net.Comm;
import io.nitinol.stress.Pool;
import java.lang.foreign.Arena;
import java.util.Objects;

/** A sending stream whose chunks end in a {@link Sink}, each with another message and length. */
final class Sending {
  static final Pool<Sending> ALL = new Pool<>(Sending::new);

  private static final Comm OWNER = new Comm() {};
  private static final BufferPool BUFFERS = new BufferPool(OutStream.BUFFER);

  final Sink sink = new Sink();
  final OutStream stream = new OutStream(TestWire.over(sink), 1, BUFFERS);
  private final SocketMemory memory = new SocketMemory(OWNER, Arena.ofAuto().allocate(256, 64), 2);
  private final SocketRequest[] messages = new SocketRequest[OutStream.DEPTH];

  /** How many chunks were assigned, and how many of them the stream has written. */
  long assigned;

  long written;

  private Sending() {
    RequestRing ring = new RequestRing(OWNER);
    for (int i = 0; i < messages.length; i++) {
      messages[i] = Objects.requireNonNull(ring.post(memory, 64L * i, 64, 0));
    }
  }

  private static int length(long number) {
    return 8 + (int) (number % 7) * 8;
  }

  /** For the thread that drives. */
  void assign() {
    SocketRequest message = messages[(int) assigned % messages.length];
    message.chunksLeft = 1;
    stream.assign(message, assigned, assigned * 3 % 5, length(assigned));
    assigned++;
  }

  /** For the stream's thread; returns 0 where there was nothing, 1 where it was the right chunk. */
  int write() {
    if (stream.work() == 0) {
      return 0;
    }
    long number = written++;
    boolean right =
        sink.message == number && sink.offset == number * 3 % 5 && sink.length == length(number);
    return right ? 1 : 2;
  }

  /** Ends what is open, so that nothing is assigned. */
  void settle() {
    while (written < assigned) {
      write();
    }
    stream.reap();
  }
}
