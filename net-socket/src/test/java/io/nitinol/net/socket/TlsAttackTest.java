// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.spi.testing.Failures.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.socket.tls.TestAuthority;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Await;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks of a relay between the two sides of an encrypted comm, on real sockets. */
class TlsAttackTest {
  private static final int SIZE = 1_000_000;

  private static Loopback encrypted(int data, int threads) {
    return new Loopback(
        "NITINOL_SOCKET_TLS",
        "1",
        "NCCL_NSOCKS_PERTHREAD",
        Integer.toString(data),
        "NCCL_SOCKET_NTHREADS",
        Integer.toString(threads));
  }

  /** One bit of the data on its way, or an end of it: no receive takes that for a message. */
  @ParameterizedTest
  @CsvSource({"false,1,1", "true,1,1", "false,4,1", "true,4,1", "false,4,2", "true,4,2"})
  void whatIsChangedOrCutOnTheWayIsAnErrorOnBothSides(boolean cut, int data, int threads)
      throws IOException {
    try (Loopback pair = encrypted(data, threads).listening();
        Proxy proxy = new Proxy(pair, (bytes, before) -> true)) {
      pair.connect();
      MemorySegment out = pair.random(SIZE, 1);
      MemorySegment in = pair.arena.allocate(SIZE);
      MemoryHandle outMr = pair.register(pair.send, out);
      MemoryHandle inMr = pair.register(pair.recv, in);
      Request sending = pair.net.isend(pair.send, outMr, 0, SIZE, 0);
      Request receiving = pair.irecv(inMr, 0, SIZE);
      assertThat(pair.complete(sending, receiving)).isEqualTo(SIZE);
      assertThat(in.mismatch(out)).as("through the proxy as it is").isEqualTo(-1);
      proxy.attack((bytes, before) -> {
        int middle = bytes.limit() / 2;
        if (cut) {
          bytes.limit(middle);
          return false;
        }
        bytes.put(middle, (byte) (bytes.get(middle) ^ 1));
        return true;
      });
      Request next = pair.net.isend(pair.send, outMr, 0, SIZE, 0);
      Request spoilt = pair.irecv(inMr, 0, SIZE);
      int[] size = new int[1];
      boolean[] taken = new boolean[1];
      NetException received =
          awaitFailure(() -> {
            assertThat(pair.net.test(spoilt, size)).as("spoilt message").isFalse();
            drive(pair, next, taken);
          });
      assertThat(received.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(received)
          .message()
          .containsPattern(
              cut ? "close_notify" : "Tag mismatch|record of \\d+ bytes|Unrecognized|Unsupported");
      NetException sent =
          awaitFailure(() -> {
            if (!taken[0]) {
              taken[0] = pair.net.test(next, null);
              return;
            }
            Request more = pair.net.isend(pair.send, outMr, 0, SIZE, 0);
            if (more != null) {
              pair.net.test(more, null);
            }
          });
      assertThat(sent.result()).isEqualTo(ResultCode.REMOTE_ERROR);
    }
  }

  /** Goes on sending; the sender's own failure comes again, and is looked at then. */
  private static void drive(Loopback pair, Request sending, boolean[] taken) {
    try {
      taken[0] = taken[0] || pair.net.test(sending, null);
    } catch (NetException later) {
      assertThat(later.result()).isEqualTo(ResultCode.REMOTE_ERROR);
    }
  }

  /** A peer that says nothing more in the middle of its TLS handshake holds neither side. */
  @ParameterizedTest
  @ValueSource(ints = {0, 100, 450})
  void aHandshakeThatStandsStillIsGivenUp(int bytesOfTls) throws IOException {
    try (Loopback pair =
            new Loopback(
                    "NITINOL_SOCKET_TLS",
                    "1",
                    "NITINOL_SOCKET_HANDSHAKE_MSEC",
                    "300",
                    "NITINOL_SOCKET_CONNECT_MSEC",
                    "4000")
                .listening();
        Proxy proxy =
            new Proxy(
                pair,
                (bytes, before) -> {
                  long room = Math.max(0, Proxy.PLAIN + bytesOfTls - before);
                  bytes.limit((int) Math.min(bytes.limit(), room));
                  return true;
                })) {
      long start = System.nanoTime();
      NetException failure =
          awaitFailure(() -> {
            assertThat(pair.net.accept(pair.listener)).isNull();
            assertThat(pair.net.connect(0, pair.handle)).isNull();
          });
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure).hasMessageContaining("within 4000 ms");
      assertThat(millis).isGreaterThanOrEqualTo(1000L);
      assertThat(pair.log.lines)
          .anyMatch(line -> line.contains("after 300 ms its TLS handshake was not complete"));
    }
  }

  /** Both know the job's secret and have certificates, but of different authorities. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCertificateOfAnotherAuthorityIsRefused(boolean connectorIsForeign, @TempDir Path directory)
      throws Exception {
    TestAuthority ours = new TestAuthority(directory, "ca");
    TestAuthority other = new TestAuthority(directory, "other-ca");
    try (Loopback listening = member("l", connectorIsForeign ? ours : other, ours);
        Loopback connecting = member("c", connectorIsForeign ? other : ours, ours)) {
      listening.listening();
      connecting.handle = connecting.handle().copyFrom(listening.handle);
      NetException failure =
          awaitFailure(() -> {
            assertThat(listening.net.accept(listening.listener)).isNull();
            assertThat(connecting.net.connect(0, connecting.handle)).isNull();
          });
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure).hasMessageContaining("cannot encrypt the connection to");
      Await.until(
          "line of the listener",
          () -> {
            assertThat(listening.net.accept(listening.listener)).isNull();
            return listening.log.lines.stream()
                .anyMatch(line -> line.contains("its TLS handshake failed: "));
          });
    }
  }

  /** The same with one authority, so that the refusal above is for the authority alone. */
  @Test
  void certificatesOfOneAuthorityAreTaken(@TempDir Path directory) throws Exception {
    TestAuthority ours = new TestAuthority(directory, "ca");
    try (Loopback pair = member("m", ours, ours).connected()) {
      MemorySegment out = pair.random(SIZE, 2);
      MemorySegment in = pair.arena.allocate(SIZE);
      Request sending = pair.net.isend(pair.send, pair.register(pair.send, out), 0, SIZE, 0);
      Request receiving = pair.irecv(pair.register(pair.recv, in), 0, SIZE);
      assertThat(pair.complete(sending, receiving)).isEqualTo(SIZE);
      assertThat(in.mismatch(out)).isEqualTo(-1);
    }
  }

  private static Loopback member(String name, TestAuthority issuer, TestAuthority trusted)
      throws Exception {
    KeyPair pair = TestAuthority.generate("EC");
    return new Loopback(
        "NITINOL_SOCKET_TLS",
        "1",
        "NITINOL_SOCKET_TLS_CERT",
        issuer.certificate(name, pair).toString(),
        "NITINOL_SOCKET_TLS_KEY",
        issuer.key(name, pair).toString(),
        "NITINOL_SOCKET_TLS_CA",
        trusted.ca().toString());
  }
}
