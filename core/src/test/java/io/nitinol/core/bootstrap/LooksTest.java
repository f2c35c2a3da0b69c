// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.bootstrap.RankGreeting.Kind;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.testing.Await;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.proof.Handshake;
import io.nitinol.toolkit.proof.RefusedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code nitinol top --job} asks ranks; nothing that it or others do there disturbs these. */
class LooksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final byte[] STATE = "{\"state\":1}\n".getBytes(StandardCharsets.UTF_8);

  private final RecordedLog log = new RecordedLog();
  private final UniqueId id = UniqueId.create(BootstrapRanks.settings(20), log);
  private final List<Bootstrap> ranks =
      BootstrapRanks.connect(3, id, BootstrapRanks.settings(20), log);

  @AfterEach
  void theRanksWorkAllTheSame() {
    List<byte[][]> all =
        BootstrapRanks.onEach(3, rank -> () -> ranks.get(rank).allGather(new byte[] {7}));
    assertThat(all).hasSize(3);
    BootstrapRanks.close(ranks);
  }

  private MemberLook look(int of, int size, byte[] key, long budget) {
    InetSocketAddress address = ranks.getFirst().addresses().get(1);
    return new MemberLook(new TreeMap<>(Map.of(of, address)), key, size, new AtomicLong(budget));
  }

  private byte[] key() {
    return ranks.getFirst().lookKey();
  }

  private MemberLook look() {
    return look(1, 3, key(), 1 << 20);
  }

  private void answer() {
    ranks.get(1).onLook(reply -> Thread.startVirtualThread(() -> reply.answer(STATE)));
  }

  @Test
  void aRankIsAskedAgainAndAgain() throws IOException {
    answer();
    long opened = ranks.get(1).opened();
    for (int i = 0; i < 3 * Looks.MOST; i++) {
      assertThat(look().ask()).isEqualTo(STATE);
    }
    assertThat(ranks.get(1).opened()).as("connections of ranks").isEqualTo(opened);
    assertThat(log.warnings()).isEmpty();
  }

  @Test
  void aRankRefusesUntilItHasWhatAnswers() {
    assertThatThrownBy(() -> look().ask())
        .hasMessage("has NITINOL_TOP=0, or is being made or closed");
    ranks.get(1).onLook(reply -> reply.refuse("does not want to\u001b"));
    assertThatThrownBy(() -> look().ask()).hasMessage("does not want to");
  }

  @Test
  void whatIsTooLongIsNotSent() {
    ranks.get(1).onLook(reply -> reply.answer(new byte[MemberLook.MOST_BYTES + 1]));
    assertThatThrownBy(() -> look().ask())
        .hasMessage("has an answer of 4194305 bytes; at most 4194304 are sent");
  }

  @Test
  void allAnswersTogetherAreBounded() {
    ranks.get(1).onLook(reply -> reply.answer(new byte[100_000]));
    assertThatThrownBy(() -> look(1, 3, key(), 99_999).ask())
        .hasMessage("was not read to its end: the answers are too long together");
  }

  @Test
  void aWrongKeyAndAnotherRankAreRefused() {
    answer();
    assertThatThrownBy(() -> look(1, 3, new byte[32], 1 << 20).ask())
        .hasMessageStartingWith("is not what answers there: it does not know this communicator's");
    assertThatThrownBy(() -> look(2, 3, key(), 1 << 20).ask())
        .hasMessage("is not what answers there: it is rank 1, not rank 2");
    assertThatThrownBy(() -> look(1, 4, key(), 1 << 20).ask())
        .hasMessage("is rank 1 of 3, not of 4");
  }

  /** The key of looks proves a look, and makes no rank; nor does the secret prove a look. */
  @Test
  void theKeyOfLooksOpensNothingElse() throws IOException {
    answer();
    JobSecret looks = new JobSecret(key(), false);
    assertThat(proves(RankGreeting.connector(looks, Kind.PEER, 0, 3, 1))).isFalse();
    assertThat(proves(RankGreeting.connector(looks, Kind.RING, 0, 3, 1))).isFalse();
    assertThat(proves(RankGreeting.looker(looks, 3, 1))).isTrue();
  }

  private boolean proves(RankGreeting greeting) throws IOException {
    Handshake handshake =
        new Handshake(RankGreeting.PROTOCOL.handshake(), Role.CONNECTOR, greeting);
    try (Socket socket = dial()) {
      socket.getOutputStream().write(handshake.opening().array());
      byte[] answer = socket.getInputStream().readNBytes(80);
      ByteBuffer proof = handshake.advance(ByteBuffer.wrap(answer));
      return proof != null && handshake.isDone();
    } catch (RefusedException e) {
      return false;
    }
  }

  private Socket dial() throws IOException {
    InetSocketAddress at = ranks.getFirst().addresses().get(1);
    Socket socket = new Socket(at.getAddress(), at.getPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  /** Proves a look by hand; the frames are the caller's. */
  private Socket prove() throws Exception {
    Handshake handshake =
        new Handshake(
            RankGreeting.PROTOCOL.handshake(),
            Role.CONNECTOR,
            RankGreeting.looker(new JobSecret(key(), false), 3, 1));
    Socket socket = dial();
    socket.getOutputStream().write(handshake.opening().array());
    ByteBuffer proof = handshake.advance(ByteBuffer.wrap(socket.getInputStream().readNBytes(80)));
    socket.getOutputStream().write(proof.array());
    assertThat(socket.getInputStream().readNBytes(4)).as("confirmed").containsOnly(0);
    return socket;
  }

  @Test
  void aLookThatStallsIsDroppedAndOfTooManyTheOldest() throws Exception {
    answer();
    List<Socket> crowd = new ArrayList<>();
    try {
      for (int i = 0; i < Looks.MOST + 1; i++) {
        crowd.add(prove());
      }
      assertThat(crowd.getFirst().getInputStream().read()).as("the oldest").isEqualTo(-1);
      assertThat(look().ask()).isEqualTo(STATE);
      assertThat(crowd.getLast().getInputStream().read()).as("after 5 s").isEqualTo(-1);
    } finally {
      for (Socket each : crowd) {
        each.close();
      }
    }
  }

  @Test
  void aLookThatSaysWhatOnlyRanksSayIsDropped() throws Exception {
    for (FrameType type : FrameType.values()) {
      if (type != FrameType.LOOK) {
        try (Socket socket = prove()) {
          socket.getOutputStream().write(Frame.ofText(type, 2, "it lies").encode().array());
          assertThat(socket.getInputStream().read()).as("%s", type).isEqualTo(-1);
        }
      }
    }
    assertThat(log.lines()).noneMatch(line -> line.contains("it lies"));
  }

  @Test
  void aLookThatAsksTwiceIsDropped() throws Exception {
    List<LookListener.Reply> asked = new ArrayList<>();
    ranks.get(1).onLook(asked::add);
    byte[] ask = new Frame(FrameType.LOOK, 0, new byte[0]).encode().array();
    try (Socket socket = prove()) {
      socket.getOutputStream().write(ask);
      socket.getOutputStream().write(ask);
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(asked).hasSize(1);
    asked.getFirst().answer(STATE); // nobody waits for it any more
    answer();
    assertThat(look().ask()).isEqualTo(STATE);
  }

  @Test
  void aLookThatIsGivenUpBeforeItsProofIsNoStranger() throws Exception {
    Handshake handshake =
        new Handshake(
            RankGreeting.PROTOCOL.handshake(),
            Role.CONNECTOR,
            RankGreeting.looker(new JobSecret(key(), false), 3, 1));
    try (Socket socket = dial()) {
      socket.getOutputStream().write(handshake.opening().array());
      assertThat(socket.getInputStream().readNBytes(80)).hasSize(80);
    }
    Await.until("it is noted", () -> log.lines().stream().anyMatch(line -> line.contains("--job")));
    assertThat(log.warnings()).isEmpty();
  }

  /** It would be answered if its body were read. */
  @Test
  void aQuestionWithABodyIsDropped() throws Exception {
    answer();
    try (Socket socket = prove()) {
      socket.getOutputStream().write(new Frame(FrameType.LOOK, 0, new byte[1]).encode().array());
      assertThat(answerOn(socket)).isEmpty();
    }
  }

  private static byte[] answerOn(Socket socket) throws IOException {
    try {
      return socket.getInputStream().readAllBytes();
    } catch (SocketException reset) {
      return new byte[0]; // it had not read all
    }
  }

  @Test
  void aQuestionThatIsNotKnownIsRefused() throws Exception {
    answer();
    try (Socket socket = prove()) {
      socket.getOutputStream().write(new Frame(FrameType.LOOK, 7, new byte[0]).encode().array());
      assertThat(new String(answerOn(socket), StandardCharsets.UTF_8))
          .contains("knows no such question: its Nitinol is older");
    }
  }

  @Test
  void theSecretAloneFindsAllRanksByAnyOfThem() throws Exception {
    String place = Address.text(ranks.getFirst().addresses().get(1));
    AtomicLong budget = new AtomicLong(1 << 20);
    ranks
        .get(1)
        .onLook(reply -> reply.answer(new byte[] {(byte) (reply.isAboutMembers() ? 1 : 0)}));
    assertThat(MemberLook.members(id, place, "--connect", PATIENCE, budget)).containsExactly(1);
    assertThat(look().ask()).containsExactly(0);
    assertThat(id.lookKey()).isEqualTo(key());
    UniqueId other = UniqueId.told(place, "--connect", "another secret");
    assertThatThrownBy(() -> MemberLook.members(other, place, "--connect", PATIENCE, budget))
        .hasMessage(
            "does not know the job's secret, which comes"
                + " from NITINOL_COMM_SECRET, the same text on both hosts");
    assertThatThrownBy(() -> MemberLook.members(id, "somewhere", "--connect", PATIENCE, budget))
        .hasMessageContaining("--connect=somewhere: ");
  }

  private static InetSocketAddress gone() throws IOException {
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return (InetSocketAddress) closed.getLocalSocketAddress();
    }
  }

  private byte[] members(InetSocketAddress... addresses) throws Exception {
    return MemberLook.members(id, List.of(addresses), PATIENCE, new AtomicLong(1 << 20));
  }

  /** The name of a host may stand for several addresses, at one of which the rank listens. */
  @Test
  void ofSeveralAddressesTheOneThatAnswersCountsAndElseTheMostTelling() throws Exception {
    answer();
    InetSocketAddress rank = ranks.getFirst().addresses().get(1);
    assertThat(members(gone(), rank)).isEqualTo(STATE);
    assertThat(members(rank, gone())).isEqualTo(STATE);
    assertThatThrownBy(() -> members(gone(), gone())).hasMessageContaining("nothing listens there");
    try (ServerSocket stranger = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      InetSocketAddress at = (InetSocketAddress) stranger.getLocalSocketAddress();
      Thread.startVirtualThread(() -> {
        for (int i = 0; i < 2; i++) {
          speak(stranger, "SSH-2.0-OpenSSH_9.9\r\n");
        }
      });
      assertThatThrownBy(() -> members(gone(), at))
          .hasMessageContaining("does not speak Nitinol's protocol");
      assertThatThrownBy(() -> members(at, gone()))
          .as("whichever comes first")
          .hasMessageContaining("does not speak Nitinol's protocol");
    }
  }

  @Test
  void thePlaceWhereTheRanksMeetIsNamed() throws Exception {
    try (UniqueId meeting = UniqueId.create(BootstrapRanks.settings(20), log)) {
      String place = Address.text(meeting.roots().getFirst());
      assertThatThrownBy(() ->
              MemberLook.members(meeting, place, "--connect", PATIENCE, new AtomicLong(1 << 20)))
          .hasMessage("is the place where the ranks meet, and no rank");
    }
  }

  @Test
  void theEndOfACommunicatorWaitsForNoLook() throws Exception {
    CompletableFuture<LookListener.Reply> asked = new CompletableFuture<>();
    List<Bootstrap> others = BootstrapRanks.connect(2, BootstrapRanks.settings(20), log);
    others.get(1).onLook(asked::complete);
    MemberLook look =
        new MemberLook(
            new TreeMap<>(Map.of(1, others.getFirst().addresses().get(1))),
            others.getFirst().lookKey(),
            2,
            new AtomicLong(1 << 20));
    CompletableFuture<String> why = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        why.complete("an answer of " + look.ask().length + " bytes");
      } catch (IOException e) {
        why.complete(e.getMessage());
      }
    });
    asked.get();
    BootstrapRanks.close(others);
    assertThat(why.get()).isEqualTo("is closing its communicator");
    assertThatThrownBy(look::ask).hasMessageContaining("nothing listens there");
  }

  @Test
  void whereOneRankOfAProcessHasGoneTheNextIsAsked() throws IOException {
    answer();
    InetSocketAddress gone = gone();
    Map<Integer, InetSocketAddress> process =
        Map.of(0, gone, 1, ranks.getFirst().addresses().get(1), 2, gone);
    MemberLook look = new MemberLook(new TreeMap<>(process), key(), 3, new AtomicLong(1 << 20));
    assertThat(look.ask()).isEqualTo(STATE);
    MemberLook nobody =
        new MemberLook(new TreeMap<>(Map.of(0, gone, 2, gone)), key(), 3, new AtomicLong(1 << 20));
    assertThatThrownBy(nobody::ask).hasMessageContaining("nothing listens there");
  }

  /** What other ends may do to the asking one. */
  @Test
  void whatIsNoRankIsNamed() throws Exception {
    assertThat(asked("")).contains("too old for top --job");
    assertThat(asked("HTTP/1.1 400 Bad Request\r\n")).contains("does not speak Nitinol's protocol");
  }

  private static void speak(ServerSocket server, String text) {
    try (Socket socket = server.accept()) {
      socket.getInputStream().readNBytes(52);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns what is told of a listener that says something, whatever it hears, and closes. */
  private String asked(String says) throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> speak(server, says));
      MemberLook look =
          new MemberLook(
              new TreeMap<>(Map.of(1, (InetSocketAddress) server.getLocalSocketAddress())),
              key(),
              3,
              new AtomicLong(1 << 20));
      try {
        look.ask();
        return "nothing";
      } catch (IOException e) {
        return e.getMessage();
      }
    }
  }

  @Test
  void anInterruptEndsAWait() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      MemberLook look =
          new MemberLook(
              new TreeMap<>(Map.of(1, (InetSocketAddress) silent.getLocalSocketAddress())),
              key(),
              3,
              new AtomicLong(1 << 20));
      assertThat(look.progress()).startsWith("was not asked");
      CompletableFuture<Boolean> ended = new CompletableFuture<>();
      Thread asking =
          Thread.startVirtualThread(() -> {
            try {
              look.ask();
            } catch (IOException e) {
              ended.complete(true);
            }
          });
      Await.until("it is connected", () -> look.progress().startsWith("does not answer"));
      asking.interrupt();
      assertThat(ended.get()).isTrue();
    }
  }
}
