// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.toolkit.PeerProof.Role;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PeerProofTest {
  private static final byte[] SECRET = "a secret".getBytes(US_ASCII);
  private static final byte[] HELLO = "connector".getBytes(US_ASCII);
  private static final byte[] ANSWER = "acceptor".getBytes(US_ASCII);

  @Test
  void bothEndsComputeTheSame() {
    for (Role role : Role.values()) {
      byte[] one = PeerProof.of(SECRET, role, HELLO, ANSWER);
      byte[] other = PeerProof.of(SECRET.clone(), role, HELLO.clone(), ANSWER.clone());
      assertThat(one).hasSize(PeerProof.PROOF_BYTES);
      assertThat(PeerProof.matches(one, other)).isTrue();
    }
  }

  @Test
  void everythingMatters() {
    byte[] proof = PeerProof.of(SECRET, Role.CONNECTOR, HELLO, ANSWER);
    byte[][] others = {
      PeerProof.of("a secreu".getBytes(US_ASCII), Role.CONNECTOR, HELLO, ANSWER),
      PeerProof.of(SECRET, Role.ACCEPTOR, HELLO, ANSWER),
      PeerProof.of(SECRET, Role.CONNECTOR, ANSWER, HELLO),
      PeerProof.of(SECRET, Role.CONNECTOR, HELLO, "acceptos".getBytes(US_ASCII)),
      // The same bytes, divided differently between the two ends.
      PeerProof.of(
          SECRET, Role.CONNECTOR, "connectora".getBytes(US_ASCII), "cceptor".getBytes(US_ASCII)),
    };
    for (byte[] other : others) {
      assertThat(PeerProof.matches(proof, other)).isFalse();
    }
    assertThat(PeerProof.matches(proof, Arrays.copyOf(proof, 31))).isFalse();
  }

  @Test
  void noncesDiffer() {
    assertThat(PeerProof.nonce()).hasSize(PeerProof.NONCE_BYTES).isNotEqualTo(PeerProof.nonce());
  }

  @Test
  void hmacIsTheStandardOne() {
    // RFC 4231, test case 2.
    byte[] mac =
        PeerProof.hmac(
            "Jefe".getBytes(US_ASCII),
            "what do ya want ".getBytes(US_ASCII),
            "for nothing?".getBytes(US_ASCII));
    assertThat(HexFormat.of().formatHex(mac))
        .isEqualTo("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  }
}
