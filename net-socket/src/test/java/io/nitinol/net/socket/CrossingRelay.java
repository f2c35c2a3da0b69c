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
 * A relay without any key between two pairs of ends. It passes on what all their streams send in
 * the clear, and swaps what follows on the streams of one index.
 */
final class CrossingRelay implements AutoCloseable {
  /** An index that no stream has. */
  static final int NONE = -1;

  private static final int PAIRS = 2;
  private static final int PLAIN_UP = PeerStream.HELLO + PeerStream.PROOF;
  private static final int PLAIN_DOWN = PeerStream.ANSWER;
  private static final int INDEX_IN_HELLO = 12;

  /** One stream, from the connecting side to the listener; its index is known from its hello on. */
  private static final class Stream {
    final SocketChannel down;
    final SocketChannel up;
    volatile int index = NONE;

    Stream(SocketChannel down, SocketChannel up) {
      this.down = down;
      this.up = up;
    }
  }

  private final int crossed;
  private final List<ServerSocketChannel> servers = new ArrayList<>();
  private final List<List<Stream>> pairs = List.of(new ArrayList<>(), new ArrayList<>());
  private final List<Thread> threads = new ArrayList<>();
  // Nothing more is passed on before all streams have said all in the clear.
  private final CountDownLatch plain;
  private final InetSocketAddress[] targets = new InetSocketAddress[PAIRS];

  /**
   * Stands before two listeners and makes their handles lead here.
   *
   * @param streams how many streams each comm has
   * @param crossed the index of those that are exchanged, or {@link #NONE}
   */
  CrossingRelay(int streams, int crossed, MemorySegment... handles) throws IOException {
    this.crossed = crossed;
    this.plain = new CountDownLatch(2 * PAIRS * streams);
    for (int i = 0; i < PAIRS; i++) {
      targets[i] = HandleBytes.address(handles[i]);
      ServerSocketChannel server =
          ServerSocketChannel.open()
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      servers.add(server);
      HandleBytes.leadTo(handles[i], server.socket().getLocalPort());
    }
    start(() -> relay(streams));
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

  private void relay(int streams) throws IOException {
    for (int pair = 0; pair < PAIRS; pair++) {
      for (int i = 0; i < streams; i++) {
        Stream stream = keep(pair, servers.get(pair).accept());
        stream.up.connect(targets[pair]);
      }
    }
    // All have come before any is passed on, since the relay has to find the two that it swaps.
    for (int pair = 0; pair < PAIRS; pair++) {
      int other = 1 - pair;
      for (Stream stream : pairs.get(pair)) {
        start(() -> {
          greet(stream);
          pass(stream.down, partner(stream, other).up);
        });
        start(() -> {
          passPlain(stream.up, stream.down, PLAIN_DOWN);
          awaitPlain();
          pass(stream.up, partner(stream, other).down);
        });
      }
    }
  }

  private synchronized Stream keep(int pair, SocketChannel down) throws IOException {
    Stream stream = new Stream(down, SocketChannel.open());
    pairs.get(pair).add(stream);
    return stream;
  }

  private void greet(Stream stream) throws IOException, InterruptedException {
    ByteBuffer said = passPlain(stream.down, stream.up, PLAIN_UP);
    stream.index = said.getShort(INDEX_IN_HELLO);
    awaitPlain();
  }

  /** Returns the stream whose other end gets what comes on {@code stream}. */
  private Stream partner(Stream stream, int other) {
    return stream.index != crossed
        ? stream
        : pairs.get(other).stream().filter(each -> each.index == crossed).findFirst().orElseThrow();
  }

  private void awaitPlain() throws IOException, InterruptedException {
    plain.countDown();
    if (!plain.await(30, TimeUnit.SECONDS)) {
      throw new IOException("the other connections did not come so far");
    }
  }

  /** Passes on what is said in the clear, and returns it. */
  private static ByteBuffer passPlain(SocketChannel from, SocketChannel to, int size)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size);
    while (bytes.hasRemaining()) {
      int before = bytes.position();
      if (from.read(bytes) < 0) {
        throw new IOException("ended in the clear");
      }
      writeAll(to, bytes.duplicate().flip().position(before));
    }
    return bytes;
  }

  private static void pass(SocketChannel from, SocketChannel to) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(64 << 10);
    while (from.read(bytes.clear()) >= 0) {
      writeAll(to, bytes.flip());
    }
    to.shutdownOutput();
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
      for (List<Stream> streams : pairs) {
        for (Stream stream : streams) {
          stream.down.close();
          stream.up.close();
        }
      }
      left = List.copyOf(threads);
    }
    Await.until("end of the relay", () -> left.stream().noneMatch(Thread::isAlive));
  }
}
