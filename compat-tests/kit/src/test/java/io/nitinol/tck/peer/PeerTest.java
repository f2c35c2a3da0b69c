// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.net.socket.SocketNet;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.session.CallTrace;
import io.nitinol.tck.session.GuardedArea;
import io.nitinol.tck.session.KitLog;
import io.nitinol.tck.session.KitPatience;
import io.nitinol.tck.session.NetInstance;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.TestTerms;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeerTest {
  private static final PluginUnderTest PLUGIN = PluginUnderTest.of(SocketNet.class);
  private static final Lane LANE = new Lane(Kind.NET, 12, Lane.NEWEST);

  private final NetSession session = open();

  private static NetSession open() {
    CallTrace trace = new CallTrace();
    KitLog log = new KitLog();
    TestTerms terms =
        new TestTerms(PLUGIN, LANE, "NET-CONN-04", false, 1, new KitPatience(), trace, log);
    return new NetSession(terms, NetInstance.start(PLUGIN, LANE, trace, log));
  }

  @AfterEach
  void end() {
    session.close();
  }

  @AfterAll
  static void endPeers() {
    PeerStock.clear(PLUGIN);
  }

  @Test
  void carriesMessagesBothWays() {
    Peer peer = Peer.start(session);
    ToPeer.connect(peer).transfer(1 << 20);
    FromPeer.connect(peer).transfer(1 << 20);
  }

  @Test
  void seesAMessageThatArrivesWrong() {
    ToPeer connection = ToPeer.connect(Peer.start(session));
    GuardedArea area = session.area(4096);
    area.fill(1);
    MemoryHandle mr = connection.register(area);
    PeerRequest receive = connection.there().receive(4096);
    connection.isend(mr, 0, 4096, 0);
    assertThat(receive.finish().get()).containsExactly(4096);
    assertThat(receive.firstDifference(0, 4096, 1)).isEqualTo(-1);
    assertThat(receive.firstDifference(0, 4096, 2)).isNotNegative();
  }

  @Test
  void sendsWithoutRoomAreTakenInTheirOrderWhileBothSidesCall() {
    Peer peer = Peer.start(session);
    FromPeer connection = FromPeer.connect(peer);
    int length = 1 << 20;
    List<PeerRequest> sends = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      sends.add(connection.there().send(length, i, 0));
    }
    assertThat(sends.getLast().isTaken()).as("nothing is received").isFalse();
    GuardedArea area = session.area(length);
    MemoryHandle mr = connection.register(area);
    for (int i = 0; i < 64; i++) {
      Request receive = connection.irecv(mr, 0, length, 0);
      session.await(
          "NET-SEND-02",
          "message " + i,
          () -> {
            peer.poll();
            return session.net().test(receive, null);
          });
      assertThat(area.firstDifference(0, length, i)).as("message %d", i).isEqualTo(-1);
      if (i == 0) {
        assertThat(sends.getLast().isTaken()).as("the last, before older ones").isFalse();
      }
    }
    sends.getLast().awaitTaken(session, () -> {});
    assertThat(sends.getLast().finish().get()).containsExactly(length);
  }

  @Test
  void isThereForTheNextTestOnceReleased() {
    Peer first = Peer.start(session);
    first.listen(0);
    first.release();
    Peer second = Peer.start(session);
    assertThat(second.pid()).isEqualTo(first.pid());
    second.kill();
    assertThat(Peer.start(session).pid()).isNotEqualTo(first.pid());
  }

  @Test
  void saysWhatBecameOfAPeerThatIsGone() {
    Peer peer = Peer.start(session);
    PeerListener listener = peer.listen(0);
    ProcessHandle process = ProcessHandle.of(peer.pid()).orElseThrow();
    assertThat(process.destroyForcibly()).isTrue();
    assertThatThrownBy(listener::close)
        .as("nobody knows what sent the signal")
        .isInstanceOf(Inconclusive.class)
        .hasMessageMatching("closeListen: process \\d+ ended with status 137.*");
    Peer leaving = Peer.start(session);
    PeerListener left = leaving.listen(0);
    leaving.exit();
    assertThatThrownBy(left::close)
        .isInstanceOf(RuleViolation.class)
        .hasMessageContaining("the peer process ended");
  }

  @Test
  void aFrozenPeerDoesNothingUntilItIsThawed() {
    Peer peer = Peer.start(session);
    PeerEnd end = peer.listen(0).accepting();
    peer.freeze();
    PeerAnswer<Boolean> accepted = end.advance(0);
    assertThat(NetSession.within(50_000_000, accepted::isDone)).isFalse();
    peer.thaw();
    assertThat(accepted.get()).isFalse();
  }

  @Test
  void anAnswerIsOneLineWhateverAPluginSays() {
    assertThat(PeerMain.line("fail SYSTEM_ERROR a\r\nb\rc\n"))
        .isEqualTo("@peer fail SYSTEM_ERROR a  b c");
  }

  @Test
  void endsByItself() {
    Peer peer = Peer.start(session);
    peer.listen(0);
    peer.exit();
    assertThat(ProcessHandle.of(peer.pid())).isEmpty();
  }
}
