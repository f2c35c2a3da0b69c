// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.toolkit.control.FrameException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TermsTest {
  private static final String RXM = "tcp;ofi_rxm";

  private static Terms rxm(Map<String, String> settings) {
    return Terms.of(RXM, -1L, settings::get);
  }

  private static String difference(Terms own, Terms peer) throws FrameException {
    return own.difference(ByteBuffer.wrap(peer.encode()));
  }

  @Test
  void sidesThatAreAlikeDifferInNothingAndTheAddressFollows() throws Exception {
    Map<String, String> settings =
        Map.of("FI_OFI_RXM_USE_RNDV_WRITE", "1", "FI_OFI_RXM_BUFFER_SIZE", "4096");
    byte[] said = rxm(settings).encode();
    assertThat(said).hasSizeLessThan(500);
    ByteBuffer body = ByteBuffer.allocate(said.length + 5).put(said).put(new byte[5]).flip();
    assertThat(rxm(settings).difference(body)).isNull();
    assertThat(body.remaining()).isEqualTo(5);
  }

  @Test
  void whoMovesLongMessagesIsToldWithBothValuesTheVariableAndWhatToDo() throws Exception {
    Terms writes = rxm(Map.of("FI_OFI_RXM_USE_RNDV_WRITE", "1"));
    Terms reads = rxm(Map.of());
    assertThat(difference(writes, reads))
        .isEqualTo(
            "the peer has FI_OFI_RXM_USE_RNDV_WRITE 0 and this side 1: set it to the same on all"
                + " ranks, for it says which side moves long messages; where it is not set, the"
                + " plugin sets it to 1, but not for verbs, nor where NITINOL_OFI_PROVIDER is not"
                + " set and the host has RDMA devices");
    assertThat(difference(reads, writes)).startsWith("the peer has FI_OFI_RXM_USE_RNDV_WRITE 1 ");
  }

  @ParameterizedTest
  @CsvSource({"1, yes", "1, TRUE", "0, off", "0, perhaps", "0, ' 1'"})
  void aFlagIsComparedAsLibfabricReadsIt(String one, String other) throws Exception {
    assertThat(
            difference(
                rxm(Map.of("FI_OFI_RXM_USE_RNDV_WRITE", one)),
                rxm(Map.of("FI_OFI_RXM_USE_RNDV_WRITE", other))))
        .isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"FI_OFI_RXM_BUFFER_SIZE", "FI_OFI_RXM_EAGER_LIMIT"})
  void sizesAreCompared(String variable) throws Exception {
    assertThat(difference(rxm(Map.of(variable, "4096")), rxm(Map.of())))
        .startsWith("the peer has " + variable + " not set and this side 4096: set it to the same");
  }

  @Test
  void aSizeIsComparedAsANumber() throws Exception {
    String variable = "FI_OFI_RXM_BUFFER_SIZE";
    assertThat(difference(rxm(Map.of(variable, "0x1000")), rxm(Map.of(variable, "4096")))).isNull();
  }

  @Test
  void settingsOfRxmDoNotMatterToOtherProviders() throws Exception {
    Map<String, String> writes = Map.of("FI_OFI_RXM_USE_RNDV_WRITE", "1");
    assertThat(
            difference(
                Terms.of("udp;ofi_rxd", -1L, writes::get),
                Terms.of("udp;ofi_rxd", -1L, name -> null)))
        .isNull();
  }

  @Test
  void theProviderIsComparedFirstAndThenTheTags() throws Exception {
    assertThat(difference(rxm(Map.of()), Terms.of("net", -1L, name -> null)))
        .isEqualTo(
            "the peer has provider net and this side tcp;ofi_rxm: NITINOL_OFI_PROVIDER has to be"
                + " the same on all ranks");
    assertThat(difference(rxm(Map.of()), Terms.of(RXM, 0xffL, name -> null)))
        .startsWith("the peer has mask of tags ff and this side ffffffffffffffff: install");
  }

  /** Version 2 of the exchange began with the provider's name. */
  @ParameterizedTest
  @ValueSource(strings = {"net", "tcp", RXM, "verbs;ofi_rxm", "a provider of a long name"})
  void whatVersion2SaidIsNotMisread(String provider) {
    byte[] name = provider.getBytes(StandardCharsets.US_ASCII);
    ByteBuffer body =
        ByteBuffer.allocate(2 + name.length + 16)
            .putShort((short) name.length)
            .put(name)
            .put(new byte[16])
            .flip();
    assertThatThrownBy(() -> rxm(Map.of()).difference(body))
        .isInstanceOf(FrameException.class)
        .hasMessageMatching("a term of \\d+ bytes, with \\d+ left|an address with \\d+ terms");
  }

  @Test
  void whatIsCutShortIsNoTerms() {
    byte[] said = rxm(Map.of()).encode();
    for (int length = 0; length < said.length; length++) {
      ByteBuffer body = ByteBuffer.wrap(said, 0, length);
      assertThatThrownBy(() -> rxm(Map.of()).difference(body)).isInstanceOf(FrameException.class);
    }
  }
}
