// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.ResultCode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UniqueIdTest {
  private static UniqueId at(String address) {
    return UniqueId.create(BootstrapRanks.settings(5, "NCCL_COMM_ID", address), new RecordedLog());
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:1", "192.0.2.7:65535", "[2001:db8::1]:4711", "[::1]:5000"})
  void survivesBytesAndText(String address) {
    UniqueId id = at(address);
    assertThat(id.toBytes()).hasSize(128);
    for (UniqueId copy :
        new UniqueId[] {UniqueId.fromBytes(id.toBytes()), UniqueId.parse(" " + id + "\n")}) {
      assertThat(copy).isEqualTo(id);
      assertThat(copy.roots()).isEqualTo(id.roots());
      assertThat(copy.secret()).isEqualTo(id.secret());
      assertThat(copy.rootAtRank0()).isTrue();
    }
    assertThat(id.toString()).matches("nitinol1-[0-9a-f]+");
    assertThat(id.describe()).doesNotContain(id.toString().substring(20));
  }

  @Test
  void secretsDiffer() {
    RecordedLog log = new RecordedLog();
    try (UniqueId one = UniqueId.create(BootstrapRanks.settings(5), log);
        UniqueId other = UniqueId.create(BootstrapRanks.settings(5), log)) {
      assertThat(one.secret()).hasSize(16).isNotEqualTo(other.secret());
      assertThat(one.rootAtRank0()).isFalse();
      assertThat(UniqueId.parse(one.toString())).isEqualTo(one).isNotEqualTo(other);
    }
  }

  @Test
  void severalAddressesSurviveBytesAndText() {
    List<InetSocketAddress> roots =
        List.of(
            new InetSocketAddress("192.0.2.7", 1),
            new InetSocketAddress("2001:db8::1", 65_535),
            new InetSocketAddress("2001:db8::2", 2),
            new InetSocketAddress("2001:db8::3", 3),
            new InetSocketAddress("2001:db8::4", 4));
    UniqueId id = UniqueId.atRank0(roots, new byte[16]);
    assertThat(UniqueId.fromBytes(id.toBytes()).roots()).isEqualTo(roots);
    assertThat(UniqueId.parse(id.toString()).roots()).isEqualTo(roots);
    assertThat(id.describe()).startsWith("192.0.2.7:1 or [2001:db8:0:0:0:0:0:1]:65535 or ");
  }

  @Test
  void allAddressesOfAHostAreKept() throws UnknownHostException {
    assertThat(at("localhost:4711").roots())
        .extracting(InetSocketAddress::getAddress)
        .containsExactly(InetAddress.getAllByName("localhost"));
  }

  /** The text alone makes the secret: the place has another name on each host. */
  @Test
  void aRankThatIsToldOfTheRootHasItsSecret() {
    RecordedLog log = new RecordedLog();
    try (UniqueId root = UniqueId.listen(0, "x", BootstrapRanks.settings(5), log)) {
      UniqueId told = UniqueId.told("127.0.0.1:4711", "--connect", "x");
      assertThat(told.secret())
          .isEqualTo(root.secret())
          .isNotEqualTo(at("127.0.0.1:4711").secret());
      assertThatThrownBy(() -> UniqueId.told("127.0.0.1:4711", "--connect", " "))
          .isInstanceOf(BootstrapException.class)
          .hasMessageContaining("the secret is blank");
      assertThat(UniqueId.told("127.0.0.1:4711", "--connect", "y").secret())
          .isNotEqualTo(root.secret());
      assertThat(root.rootAtRank0()).as("it has started").isFalse();
      assertThat(told.rootAtRank0()).as("it may not have started").isTrue();
      for (UniqueId id : List.of(root, told, told.withNote("a note"))) {
        assertThat(id.jobSecret().source())
            .isEqualTo(", which comes from NITINOL_COMM_SECRET, the same text on both hosts");
        assertThat(id.jobSecret().question())
            .isEqualTo(" (is its NITINOL_COMM_SECRET another one?)");
      }
      int port = root.roots().getFirst().getPort();
      assertThatThrownBy(() -> UniqueId.listen(port, "x", BootstrapRanks.settings(5), log))
          .isInstanceOf(BootstrapException.class)
          .hasMessageMatching("bootstrap: the root cannot listen at .*:" + port + ": .*in use.*")
          .hasMessageNotContaining("NCCL_COMM_ID");
    }
    assertThatThrownBy(() -> UniqueId.told("node1", "--connect", "x"))
        .hasMessageContaining("--connect=node1: expected host:port");
  }

  @Test
  void commIdAndSecretMakeTheId() {
    UniqueId id = at("127.0.0.1:5000");
    assertThat(at("127.0.0.1:5000")).isEqualTo(id);
    assertThat(at("127.0.0.1:5001").secret()).isNotEqualTo(id.secret());
    UniqueId secret =
        UniqueId.create(
            BootstrapRanks.settings(
                5, "NCCL_COMM_ID", "127.0.0.1:5000", "NITINOL_COMM_SECRET", "x"),
            new RecordedLog());
    assertThat(secret.roots()).isEqualTo(id.roots());
    assertThat(secret.secret()).isNotEqualTo(id.secret());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "127.0.0.1          ; expected host:port, ipv4:port or [ipv6]:port",
        "127.0.0.1:         ; expected host:port",
        "127.0.0.1:x        ; expected host:port",
        ":5000              ; expected host:port",
        "127.0.0.1:0        ; a port from 1 to 65535",
        "127.0.0.1:65536    ; a port from 1 to 65535",
        "::1:5000           ; expected host:port",
        "[::1]5000          ; expected host:port",
        "no.such.host.invalid:5000 ; the host \"no.such.host.invalid\" is not known",
      })
  void badCommIdIsExplained(String value, String expected) {
    assertThatThrownBy(() -> at(value))
        .isInstanceOfSatisfying(
            BootstrapException.class,
            e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_ARGUMENT))
        .hasMessageContaining("NCCL_COMM_ID=" + value)
        .hasMessageContaining(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "''                    ; does not begin with nitinol1-",
        "hello                 ; does not begin with nitinol1-",
        "nitinol1-             ; 0 bytes",
        "nitinol1-xy           ; not hexadecimal",
        "nitinol1-123          ; not hexadecimal",
        "nitinol1-0011223344   ; does not begin like an id",
      })
  void badTextIsExplained(String text, String expected) {
    assertThatThrownBy(() -> UniqueId.parse(text))
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("not a unique id")
        .hasMessageContaining(expected);
  }

  @Test
  void anyDamageIsNoticed() {
    UniqueId id = at("[2001:db8::1]:4711");
    String text = id.toString();
    for (int cut = 0; cut < text.length(); cut++) {
      String shorter = text.substring(0, cut);
      assertThatThrownBy(() -> UniqueId.parse(shorter)).isInstanceOf(BootstrapException.class);
    }
    for (int i = 0; i < 128 * 8; i++) {
      byte[] bytes = id.toBytes();
      bytes[i / 8] ^= (byte) (1 << (i % 8));
      assertThatThrownBy(() -> UniqueId.fromBytes(bytes)).isInstanceOf(BootstrapException.class);
    }
    assertThatThrownBy(() -> UniqueId.fromBytes(new byte[127]))
        .hasMessageContaining("127 bytes, expected 128");
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 1000; i++) {
      byte[] bytes = new byte[128];
      random.nextBytes(bytes);
      assertThatThrownBy(() -> UniqueId.fromBytes(bytes))
          .as("seed %d", seed)
          .isInstanceOf(BootstrapException.class);
    }
  }
}
