// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.util.function.UnaryOperator;

/**
 * Two non-blocking channels with a bounded pipe each way, which may change or cut what it takes.
 */
final class Conduit {
  final End connecting;
  final End accepting;

  Conduit(int capacity) {
    Pipe there = new Pipe(capacity);
    Pipe back = new Pipe(capacity);
    connecting = new End(there, back);
    accepting = new End(back, there);
  }

  /** One direction. */
  static final class Pipe {
    private final ByteBuffer held;
    private boolean ended;
    long passed;
    UnaryOperator<byte[]> change = bytes -> bytes;

    Pipe(int capacity) {
      held = ByteBuffer.allocate(capacity);
    }

    int put(ByteBuffer from) {
      byte[] bytes = new byte[Math.min(from.remaining(), held.remaining())];
      from.get(bytes);
      passed += bytes.length;
      held.put(change.apply(bytes));
      return bytes.length;
    }

    int take(ByteBuffer to) {
      held.flip();
      int part = Math.min(held.remaining(), to.remaining());
      to.put(to.position(), held, held.position(), part);
      to.position(to.position() + part);
      held.position(held.position() + part);
      held.compact();
      return part == 0 && ended ? -1 : part;
    }
  }

  /** One side. */
  static final class End implements ByteChannel {
    final Pipe out;
    final Pipe in;
    private boolean open = true;

    End(Pipe out, Pipe in) {
      this.out = out;
      this.in = in;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
      check();
      return in.take(target);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
      check();
      if (in.ended) {
        throw new IOException("Broken pipe");
      }
      return out.put(source);
    }

    private void check() throws IOException {
      if (!open) {
        throw new ClosedChannelException();
      }
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public void close() {
      open = false;
      out.ended = true;
    }
  }
}
