// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.HandleBytes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Somebody without any key between two pairs of ends: he lets what both connections say in the
 * clear through, and exchanges what follows.
 */
final class CrossingRelay implements AutoCloseable {
  private static final int PAIRS = 2;
  private static final int PLAIN_UP = PeerStream.HELLO + PeerStream.PROOF;
  private static final int PLAIN_DOWN = PeerStream.ANSWER;

  private final List<ServerSocketChannel> servers = new ArrayList<>();
  private final List<SocketChannel> channels = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  // Nothing more is passed on before both connections have said all in the clear.
  private final CountDownLatch plain = new CountDownLatch(2 * PAIRS);
  private final InetSocketAddress[] targets = new InetSocketAddress[PAIRS];

  /**
   * Stands before two listeners and makes their handles lead here.
   *
   * @param crossing whether anything is exchanged
   */
  CrossingRelay(boolean crossing, MemorySegment... handles) throws IOException {
    for (int i = 0; i < PAIRS; i++) {
      targets[i] = HandleBytes.address(handles[i]);
      ServerSocketChannel server =
          ServerSocketChannel.open()
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      servers.add(server);
      HandleBytes.leadTo(handles[i], server.socket().getLocalPort());
    }
    start(() -> relay(crossing));
  }

  private interface Body {
    void run() throws IOException, InterruptedException;
  }

  private synchronized void start(Body body) {
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .name("crossing relay")
            .unstarted(() -> {
              try {
                body.run();
              } catch (IOException | InterruptedException ended) {
                // One of the ends or the test has closed the connection.
              }
            });
    threads.add(thread);
    thread.start();
  }

  private void relay(boolean crossing) throws IOException {
    SocketChannel[] up = new SocketChannel[PAIRS];
    SocketChannel[] down = new SocketChannel[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
      down[i] = keep(servers.get(i).accept());
      up[i] = keep(SocketChannel.open());
      up[i].connect(targets[i]);
    }
    for (int i = 0; i < PAIRS; i++) {
      int pair = i;
      int other = crossing ? 1 - i : i;
      start(() -> pump(down[pair], up[pair], PLAIN_UP, up[other]));
      start(() -> pump(up[pair], down[pair], PLAIN_DOWN, down[other]));
    }
  }

  private synchronized SocketChannel keep(SocketChannel channel) {
    channels.add(channel);
    return channel;
  }

  private void pump(SocketChannel from, SocketChannel first, int plainBytes, SocketChannel then)
      throws IOException, InterruptedException {
    ByteBuffer bytes = ByteBuffer.allocate(64 << 10);
    for (int left = plainBytes; left > 0; ) {
      if (from.read(bytes.clear().limit(left)) < 0) {
        throw new IOException("ended in the clear");
      }
      left -= bytes.flip().remaining();
      writeAll(first, bytes);
    }
    plain.countDown();
    if (!plain.await(30, TimeUnit.SECONDS)) {
      throw new IOException("the other connection did not come so far");
    }
    while (from.read(bytes.clear()) >= 0) {
      writeAll(then, bytes.flip());
    }
    then.shutdownOutput();
  }

  private static void writeAll(SocketChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    for (ServerSocketChannel server : servers) {
      server.close();
    }
    List<Thread> left;
    synchronized (this) {
      for (SocketChannel channel : channels) {
        channel.close();
      }
      left = List.copyOf(threads);
    }
    Await.until("end of the relay", () -> left.stream().noneMatch(Thread::isAlive));
  }
}
