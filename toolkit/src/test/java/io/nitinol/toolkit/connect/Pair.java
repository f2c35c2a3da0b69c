// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.RecordingLog;
import io.nitinol.toolkit.connect.ConnectOptions.Bound;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Both sides of connections over loopback, without a plugin around them. */
final class Pair implements AutoCloseable {
  static final String PLUGIN = "Test";
  static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  final RecordingLog log = new RecordingLog();
  final Arena arena = Arena.ofShared();
  final ConnectOptions options;
  final LocalEnd here = new LocalEnd(0, LOOPBACK, "device 0 (lo)");
  final Connector<Proven> connector;
  MemorySegment handle = MemorySegment.NULL;
  @Nullable Listener<Proven> listener;
  @Nullable Proven send;
  @Nullable Proven recv;

  /** A completion that has nothing to do. */
  record Nothing(Proven proven) implements Completion<Proven> {
    @Override
    public String what() {
      return "nothing";
    }

    @Override
    public Proven advance() {
      return proven;
    }

    @Override
    public void close() throws IOException {
      for (SocketChannel each : proven.channels()) {
        each.close();
      }
    }
  }

  /** Makes both sides with the values of some of TEST_RETRIES, TEST_PAUSE and so on. */
  Pair(String... nameValues) {
    this(Features.NONE, nameValues);
  }

  Pair(Features features, String... nameValues) {
    this.options = options(features, nameValues);
    this.connector = new Connector<>(options, log);
  }

  static ConnectOptions options(Features features, String... nameValues) {
    Map<String, Integer> values = new HashMap<>();
    for (int i = 0; i < nameValues.length; i += 2) {
      values.put(nameValues[i], Integer.valueOf(nameValues[i + 1]));
    }
    return new ConnectOptions(
        PLUGIN,
        bound(values, "TEST_RETRIES", 34),
        bound(values, "TEST_PAUSE", 100),
        bound(values, "TEST_CONNECT", 50_000),
        bound(values, "TEST_HANDSHAKE", 30_000),
        bound(values, "TEST_HALF_OPEN", 256),
        0,
        0,
        features);
  }

  /** Returns the same options with handles of version 4. */
  static ConnectOptions versionFour(ConnectOptions of) {
    return new ConnectOptions(
        of.plugin(),
        of.threads(),
        of.retries(),
        of.pauseMillis(),
        of.connectMillis(),
        of.handshakeMillis(),
        of.halfOpen(),
        of.sendBuffer(),
        of.receiveBuffer(),
        of.features(),
        Listener.V4_HANDLE_BYTES);
  }

  private static Bound bound(Map<String, Integer> values, String name, int usual) {
    return new Bound(values.getOrDefault(name, usual), name);
  }

  Pair listening() {
    return listening(Agreement.ONE);
  }

  Pair listening(Agreement agreement) {
    handle = handle();
    listener = Listener.open(here, agreement, handle, options, log, Nothing::new);
    return this;
  }

  MemorySegment handle() {
    return arena.allocate(Listener.HANDLE_BYTES);
  }

  /** Returns a copy of the listener's handle. */
  MemorySegment copy() {
    return handle().copyFrom(handle);
  }

  byte[] key() {
    return ListenHandle.read(handle, PLUGIN).key();
  }

  @Nullable Proven connect(MemorySegment to) {
    return connector.connect(here, to, Nothing::new);
  }

  @Nullable Proven accept() {
    return Objects.requireNonNull(listener, "listener").poll();
  }

  void closeListener() {
    Objects.requireNonNull(listener, "listener").close();
    listener = null;
  }

  Pair connected() {
    Await.until(
        "connection over loopback",
        () -> {
          send = send == null ? connect(handle) : send;
          recv = recv == null ? accept() : recv;
          return send != null && recv != null;
        });
    return this;
  }

  /** Connects, and lets something pass on every stream. */
  void works() {
    connected();
    for (int i = 0; i < send.channels().length; i++) {
      byte[] out = new byte[1000];
      new Random(i).nextBytes(out);
      SocketChannel from = send.channels()[i];
      SocketChannel to = recv.channels()[i];
      ByteBuffer in = ByteBuffer.allocate(out.length);
      try {
        assertThat(from.write(ByteBuffer.wrap(out))).isEqualTo(out.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      Await.until(
          "a message",
          () -> {
            try {
              assertThat(to.read(in)).isNotNegative();
              return !in.hasRemaining();
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
      assertThat(in.array()).isEqualTo(out);
    }
  }

  static void close(@Nullable Proven ends) {
    try {
      if (ends != null) {
        new Nothing(ends).close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    close(send);
    close(recv);
    if (listener != null) {
      listener.close();
    }
    arena.close();
  }
}
