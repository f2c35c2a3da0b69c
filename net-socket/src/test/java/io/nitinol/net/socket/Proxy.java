// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.HandleBytes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A relay between the two sides of a comm, on real sockets. The connecting side finds its address
 * in the handle. It may change, withhold or cut off the bytes that go to the listener, and passes
 * on those that come back.
 */
final class Proxy implements AutoCloseable {
  /** The bytes that the connecting side sends before TLS begins: a hello and a proof. */
  static final int PLAIN = PeerStream.HELLO + PeerStream.PROOF;

  /** What happens to bytes on their way to the listener. */
  interface Attack {
    /**
     * Spoils some bytes.
     *
     * @param bytes may be changed; what is beyond its limit does not arrive
     * @param before how many came before on this connection
     * @return whether the connection goes on
     */
    boolean on(ByteBuffer bytes, long before);
  }

  private final ServerSocketChannel server = ServerSocketChannel.open();
  private final List<SocketChannel> channels = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final int target;
  private volatile Attack attack;
  private boolean closed;

  /** Stands before the listener of {@code pair}, and makes its handle lead here. */
  Proxy(Loopback pair, Attack attack) throws IOException {
    this.attack = attack;
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    target = HandleBytes.address(pair.handle).getPort();
    HandleBytes.leadTo(pair.handle, server.socket().getLocalPort());
    start(this::accept);
  }

  /** From now on this happens. */
  void attack(Attack next) {
    attack = next;
  }

  private synchronized void start(Body body) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("proxy")
            .unstarted(() -> {
              try {
                body.run();
              } catch (IOException ended) {
                // One of the two sides or the test has closed the connection.
              }
            });
    threads.add(thread);
    thread.start();
  }

  private interface Body {
    void run() throws IOException;
  }

  private void accept() throws IOException {
    while (true) {
      SocketChannel from = server.accept();
      SocketChannel to =
          SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
      synchronized (this) {
        channels.add(from);
        channels.add(to);
        if (closed) {
          closeAll();
          return;
        }
      }
      start(() -> pump(from, to, true));
      start(() -> pump(to, from, false));
    }
  }

  private void pump(SocketChannel from, SocketChannel to, boolean attacked) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(8 << 10);
    long before = 0;
    try (from;
        to) {
      while (from.read(bytes.clear()) >= 0) {
        int came = bytes.flip().limit();
        boolean goesOn = !attacked || attack.on(bytes, before);
        before += came;
        while (bytes.hasRemaining()) {
          to.write(bytes);
        }
        if (!goesOn) {
          return;
        }
      }
    }
  }

  private void closeAll() throws IOException {
    for (SocketChannel channel : channels) {
      channel.close();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    List<Thread> left;
    synchronized (this) {
      closed = true;
      closeAll();
      left = List.copyOf(threads);
    }
    Await.until("end of the proxy", () -> left.stream().noneMatch(Thread::isAlive));
  }
}
