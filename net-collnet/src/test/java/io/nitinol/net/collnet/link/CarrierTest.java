// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.net.collnet.wire.NetHandle;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.testing.Await;
import io.nitinol.spi.testing.Failures;
import io.nitinol.spi.testing.RecordingLog;
import java.lang.foreign.Arena;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Which plugins carry data, how they are found, and those whose calls wait. */
class CarrierTest {
  private final RecordingLog log = new RecordingLog();
  private final FakeNet fake = new FakeNet();

  private static void until(BooleanSupplier there) {
    Await.until("it", there);
  }

  private static CommPair toItself(Carrier carrier) {
    CommPair pair = new CommPair(carrier, 0);
    try (Arena arena = Arena.ofConfined()) {
      pair.connectTo(NetHandle.of(arena.allocate(NetHandle.BYTES)));
    }
    return pair;
  }

  @Test
  void theSocketPluginIsFoundThroughCore() {
    try (Carrier carrier = Carrier.open("sOCKET", 0, log)) {
      assertThat(carrier.net().name()).isEqualTo("Socket");
      assertThat(carrier.toString()).startsWith("Socket (v12, from ");
      assertThat(carrier.mayWait()).isFalse();
    }
    assertThat(NetSearch.find("Socket").net()).isNotSameAs(NetSearch.find("Socket").net());
  }

  @Test
  void aNameThatIsNotThereListsThoseThatAre() {
    assertThatThrownBy(() -> NetSearch.find("Sokcet"))
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessageContaining("NITINOL_COLLNET_NET")
        .hasMessageContaining("did you mean Socket?")
        .hasMessageContaining("Socket (net [v12 (");
  }

  @Test
  void whatCannotBeStartedIsNamed() {
    fake.starts = false;
    assertThatThrownBy(() -> Carrier.open(fake.as(11), 0, log))
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.SYSTEM_ERROR))
        .hasMessageContaining("Fake (v11, from a test)")
        .hasMessageContaining("only one context")
        .hasMessageContaining("NITINOL_COLLNET_NET");
  }

  @Test
  void devicesThatCannotCarryAreLeftOutWithTheReason() {
    fake.devices.add(FakeNet.device("gpu", PointerType.CUDA, NetDeviceType.HOST, 1L << 30));
    fake.devices.add(FakeNet.device("offload", PointerType.HOST, NetDeviceType.UNPACK, 1L << 30));
    fake.devices.add(FakeNet.device("small", PointerType.HOST, NetDeviceType.HOST, 1 << 16));
    try (Carrier carrier = Carrier.open(fake.as(12), 0, log)) {
      assertThat(carrier.devices()).isEmpty();
      assertThatThrownBy(() -> carrier.deviceAt(null, 0))
          .hasMessageContaining("Fake (v12, from a test)")
          .hasMessageContaining("gpu (takes no host memory: ptrSupport 2)")
          .hasMessageContaining("offload (is not driven by the host: ")
          .hasMessageContaining("small (maxP2pBytes is 65536, expected at least 33554432)");
    }
    fake.withDevice();
    try (Carrier carrier = Carrier.open(fake.as(12), 0, log)) {
      assertThat(carrier.devices()).containsExactly(3);
    }
  }

  @Test
  void aPluginThatMayWaitHoldsNobodyUp() {
    Carrier carrier = Carrier.open(fake.withDevice().as(4), 0, log);
    CommPair pair = toItself(carrier);
    assertThat(pair.poll()).isFalse();
    until(() -> fake.calls.contains("accept"));
    assertThat(pair.poll()).isFalse();
    fake.peer.countDown();
    until(pair::poll);
    assertThat(pair.send()).isNotNull();
    assertThat(pair.recv()).isNotNull();
    pair.close();
    carrier.close();
    assertThat(fake.calls)
        .containsOnlyOnce("connect", "accept")
        .contains("closeListen") // when accept has answered, be it before connect or after it
        .endsWith("closeSend", "closeRecv", "finalizeContext");
  }

  /** A plugin may return null until the peer has proven itself (NET-V4-02). */
  @Test
  void aConnectThatIsNullUntilThePeerAcceptsDoesNotKeepThisSideFromAccepting() {
    fake.connectNeedsAccept = true;
    fake.peer.countDown();
    Carrier carrier = Carrier.open(fake.withDevice().as(4), 0, log);
    CommPair pair = toItself(carrier);
    until(pair::poll);
    assertThat(pair.send()).isNotNull();
    pair.close();
    carrier.close();
    assertThat(fake.calls)
        .contains("closeListen")
        .endsWith("closeSend", "closeRecv", "finalizeContext");
  }

  @Test
  void aPairThatIsGivenUpDoesNotWaitForAcceptAndNothingIsLeftOpen() {
    Carrier carrier = Carrier.open(fake.withDevice().as(4), 0, log);
    CommPair pair = toItself(carrier);
    assertThat(pair.poll()).isFalse();
    until(() -> fake.calls.contains("connect") && fake.calls.contains("accept"));
    pair.close();
    carrier.close();
    assertThat(fake.calls).doesNotContain("closeListen", "finalizeContext");
    until(() -> fake.calls.contains("closeSend")); // by this thread, or by that of connect
    fake.peer.countDown();
    until(() -> fake.calls.contains("finalizeContext"));
    assertThat(fake.calls)
        .endsWith("closeListen", "closeRecv", "finalizeContext")
        .containsOnlyOnce("closeSend");
  }

  @Test
  void aPairThatIsGivenUpDoesNotWaitForConnectAndNothingIsLeftOpen() {
    CountDownLatch connects = new CountDownLatch(1);
    fake.connects = connects;
    fake.peer.countDown();
    Carrier carrier = Carrier.open(fake.withDevice().as(4), 0, log);
    CommPair pair = toItself(carrier);
    assertThat(pair.poll()).isFalse();
    until(() -> fake.calls.contains("connect"));
    pair.close();
    carrier.close();
    until(() -> fake.calls.contains("closeListen"));
    assertThat(fake.calls).doesNotContain("closeSend", "finalizeContext");
    connects.countDown();
    until(() -> fake.calls.contains("finalizeContext"));
    assertThat(fake.calls).endsWith("closeSend", "finalizeContext");
  }

  @Test
  void aConnectThatFailsIsToldWhileAcceptWaits() {
    fake.refuses = new NetException(ResultCode.REMOTE_ERROR, "nobody is there");
    Carrier carrier = Carrier.open(fake.withDevice().as(4), 0, log);
    CommPair pair = toItself(carrier);
    NetException failure = Failures.awaitFailure(pair::poll);
    until(() -> fake.calls.contains("accept"));
    assertThat(failure).hasMessageContaining("nobody is there");
    pair.close();
    carrier.close();
    assertThat(fake.calls).doesNotContain("closeListen", "finalizeContext");
    fake.peer.countDown();
    until(() -> fake.calls.contains("finalizeContext"));
    assertThat(fake.calls)
        .endsWith("closeListen", "closeRecv", "finalizeContext")
        .doesNotContain("closeSend")
        .containsOnlyOnce("finalizeContext");
  }
}
