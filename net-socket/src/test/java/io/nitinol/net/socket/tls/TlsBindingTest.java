// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.toolkit.PeerProof;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The proofs inside TLS. */
class TlsBindingTest {
  private static final String REFUSAL = "is not the one that proved itself before";

  private static TlsBinding covering(String what) {
    byte[] said = what.getBytes(StandardCharsets.US_ASCII);
    return (side, exported) ->
        PeerProof.hmac(TlsPair.SECRET, said, new byte[] {(byte) side.ordinal()}, exported);
  }

  @Test
  void bothSidesRefuseWhoProvedSomethingElse() throws IOException {
    refuseEachOther(new TlsPair(1 << 17, covering("one"), covering("another")));
  }

  /** What the other side has just said proves nothing. */
  @Test
  void aReflectedProofIsRefused() throws IOException {
    TlsBinding honest = covering("one");
    TlsBinding reflecting =
        (side, exported) -> honest.proof(PeerProof.Role.ACCEPTOR, exported); // for either side
    TlsPair pair = new TlsPair(1 << 17, reflecting, honest);
    assertThat(failureOf(pair.receiver, pair.sender)).hasMessageContaining(REFUSAL);
  }

  /** Both sides are given the same secret of their connection, and each connection another one. */
  @Test
  void whatIsExportedIsOfThisConnection() throws IOException {
    List<String> exported = new ArrayList<>();
    TlsBinding noting =
        (side, secret) -> {
          exported.add(HexFormat.of().formatHex(secret));
          return covering("one").proof(side, secret);
        };
    new TlsPair(1 << 17, noting, noting).shaken();
    List<String> first = List.copyOf(exported);
    exported.clear();
    new TlsPair(1 << 17, noting, noting).shaken();
    assertThat(first).hasSize(4).containsOnly(first.getFirst());
    assertThat(exported).hasSize(4).doesNotContain(first.getFirst());
  }

  private static void refuseEachOther(TlsPair pair) throws IOException {
    assertThat(failureOf(pair.sender, pair.receiver)).hasMessageContaining(REFUSAL);
    assertThat(failureOf(pair.receiver, pair.sender)).hasMessageContaining(REFUSAL);
  }

  private static IOException failureOf(TlsChannel one, TlsChannel other) {
    for (int calls = 0; calls < 1000; calls++) {
      boolean[] complete = new boolean[1];
      IOException failure =
          catchThrowableOfType(IOException.class, () -> complete[0] = one.handshake());
      if (failure != null) {
        return failure;
      }
      assertThat(complete[0]).as("a handshake that has to fail").isFalse();
      goOn(other);
    }
    throw new AssertionError("no failure in 1000 calls");
  }

  private static void goOn(TlsChannel other) {
    try {
      assertThat(other.handshake()).isIn(true, false);
    } catch (IOException refused) {
      assertThat(refused).hasMessageContaining(REFUSAL);
    }
  }
}
