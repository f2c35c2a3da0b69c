// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.testing.Allocations;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.HandleBytes;
import io.nitinol.spi.testing.Mutations;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Hostile inputs over TCP sockets: to the port of a listener, which a peer reaches all the same
 * after every few of them, and on connections that have gone through the handshake.
 */
final class LiveFuzz implements AutoCloseable {
  private static final int REGION = 1 << 18;
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Loopback pair = new Loopback().listening();
  private final byte[] hello;
  private final MemorySegment region = pair.arena.allocate(REGION, 64).fill(StreamTarget.GUARD);
  private final Allocations allocations = new Allocations();

  LiveFuzz() throws IOException {
    hello = PeerStream.hello(pair);
  }

  /** Tries some inputs. */
  void batch(SplittableRandom random, int inputs) throws IOException {
    Mutations bytes = new Mutations(random);
    for (int i = 0; i < inputs; i++) {
      if (i % 2 == 0) {
        knock(random, bytes);
        assertThat(pair.net.accept(pair.listener)).as("a stranger got in, input %d", i).isNull();
      } else {
        stream(random, bytes, i);
      }
    }
  }

  /** Says something to the listener that no peer would. */
  private void knock(SplittableRandom random, Mutations bytes) throws IOException {
    bytes.clear();
    if (random.nextInt(3) == 0) {
      bytes.appendRandom(random.nextInt(300));
    } else {
      bytes.append(hello);
      bytes.bytes[random.nextInt(hello.length)] ^= (byte) (1 << random.nextInt(8));
      bytes.length = random.nextBoolean() ? bytes.length : random.nextInt(hello.length);
      bytes.appendRandom(random.nextInt(64));
    }
    SocketChannel stranger = SocketChannel.open(HandleBytes.address(pair.handle));
    stranger.configureBlocking(false);
    int first = random.nextInt(bytes.length + 1);
    stranger.write(ByteBuffer.wrap(bytes.bytes, 0, first));
    assertThat(pair.net.accept(pair.listener)).isNull();
    try {
      stranger.write(ByteBuffer.wrap(bytes.bytes, first, bytes.length - first));
    } catch (IOException dropped) {
      assertThat(dropped).hasMessageMatching("(?i).*(reset|broken).*");
    }
    if (random.nextBoolean()) {
      stranger.setOption(StandardSocketOptions.SO_LINGER, 0); // ends with a reset
    }
    stranger.close();
  }

  /** Goes through the handshake, and then sends what no peer would. */
  private void stream(SplittableRandom random, Mutations bytes, int number) throws IOException {
    try (PeerStream peer = new PeerStream(pair)) {
      RecvComm comm = Await.nonNull("accept", () -> pair.net.accept(pair.listener));
      StreamTarget.Case each = new StreamTarget.Case(random, bytes, region, 20_000, allocations);
      ByteBuffer rest = ByteBuffer.wrap(bytes.bytes, 0, bytes.length);
      long begin = System.nanoTime();
      each.run(
          (SocketRecvComm) comm,
          most -> {
            if (rest.hasRemaining()) {
              int piece = Math.min(rest.remaining(), 1 + random.nextInt(most));
              send(peer, rest, piece);
            } else if (peer.channel.isOpen()) {
              peer.channel.close();
            } else {
              FuzzTarget.require(
                  System.nanoTime() - begin < LIMIT_NANOS, "input " + number + " does not end");
            }
          },
          number);
      pair.net.closeRecv(Objects.requireNonNull(comm));
    }
  }

  private static void send(PeerStream peer, ByteBuffer rest, int piece) throws IOException {
    int limit = rest.limit();
    try {
      peer.channel.write(rest.limit(rest.position() + piece));
    } catch (IOException closed) {
      // The other side has refused the bytes before, and does not read the rest.
      rest.limit(limit).position(limit);
    }
    rest.limit(limit);
  }

  @Override
  public void close() {
    pair.close();
  }
}
