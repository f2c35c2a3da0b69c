// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.LookListener;
import io.nitinol.core.bootstrap.MemberLook;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.live.LiveDirectory;
import io.nitinol.core.live.LiveRequest;
import io.nitinol.core.live.LiveServer;
import io.nitinol.core.log.Log;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A look at a whole job: rank 0 answers by its Unix socket, rank 1 tells the truth, and what rank 2
 * does depends on the test. Whatever it is, ranks 0 and 1 are shown.
 */
class LiveLookTest {
  private static final int SIZE = 3;

  /** The number of the process of rank 0. */
  private static final long HERE = 0x99;

  private static final String COMMUNICATOR = "abc";

  @TempDir private Path base;

  private final List<Bootstrap> ranks = new ArrayList<>();
  private final JobMembers job = new JobMembers();
  private String key = "";
  private Duration patience = Duration.ofSeconds(60); // a loaded machine is no silent peer
  private InetSocketAddress third = new InetSocketAddress(0);

  @BeforeEach
  void meet() throws Exception {
    Settings settings = Settings.of(Map.of("NCCL_SOCKET_IFNAME", "lo"));
    try (UniqueId id = UniqueId.create(settings, Log.process());
        ExecutorService threads = Executors.newFixedThreadPool(SIZE)) {
      List<Future<Bootstrap>> joining = new ArrayList<>();
      for (int rank = 0; rank < SIZE; rank++) {
        int own = rank;
        joining.add(
            threads.submit(() -> Bootstrap.connect(id, own, SIZE, settings, Log.process())));
      }
      for (Future<Bootstrap> each : joining) {
        ranks.add(each.get());
      }
    }
    key = HexFormat.of().formatHex(ranks.getFirst().lookKey());
    third = ranks.getFirst().addresses().get(2);
    ranks.get(1).onLook(reply -> reply.answer(bytes(state(1))));
  }

  @AfterEach
  void part() {
    ranks.forEach(Bootstrap::close);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String state(int rank) {
    return state(rank, COMMUNICATOR, SIZE, process(rank));
  }

  private static String process(int rank) {
    return rank == 0 ? Long.toHexString(HERE) : "p" + rank;
  }

  private static String state(int rank, String communicator, int size, String process) {
    return """
    {"format":"nitinol-top","version":1,"pid":7,"ranks":[
    {"communicator":"%s","name":null,"rank":%d,"size":%d,"host":"node%d\\u001b[31m","pid":%d,
    "process":"%s","ranks_of_host":[%d],"failure":null,"written_us":%d,"submitted":1,"completed":1,
    "collectives":1,"collectives_done":1,"bytes":64,"moves":1,"quiet_us":0,"waits":[],
    "operations":[]}]}
    """
        .formatted(communicator, rank, size, rank, 4711 + rank, process, rank, rank * 1_000_000L);
  }

  private String members() {
    StringBuilder members = new StringBuilder();
    for (int rank = 0; rank < SIZE; rank++) {
      InetSocketAddress at = rank == 2 ? third : ranks.getFirst().addresses().get(rank);
      members
          .append(rank == 0 ? "" : ",")
          .append(
              "{\"rank\":%d,\"host\":\"h%d\",\"process\":\"%s\",\"address\":\"%s\",\"port\":%d}"
                  .formatted(
                      rank, rank, process(rank), at.getAddress().getHostAddress(), at.getPort()));
    }
    return "{\"format\":\"nitinol-top\",\"version\":1,\"communicators\":[{\"communicator\":\"%s\",\"size\":%d,\"key\":\"%s\",\"members\":[%s]}]}\n"
        .formatted(COMMUNICATOR, SIZE, key, members);
  }

  private LiveLook look() throws Exception {
    return look(request -> request == LiveRequest.STATE ? state(0) : members());
  }

  private LiveLook look(Function<LiveRequest, String> answers) throws Exception {
    LiveDirectory directory = LiveDirectory.of(Map.of(), base.toString());
    try (LiveServer _ = LiveServer.open(directory, HERE, answers, Log.process())) {
      return LiveLook.take(directory, job, patience);
    }
  }

  private static List<Integer> seen(LiveLook look) {
    return look.ranks().stream().map(rank -> rank.log().rank()).sorted().toList();
  }

  /** Looks, checks that ranks 0 and 1 are seen alone, and returns what is told of rank 2. */
  private String whySilent() throws Exception {
    LiveLook look = look();
    assertThat(look.problems()).isEmpty();
    assertThat(seen(look)).containsExactly(0, 1);
    assertThat(look.silent()).hasSize(1);
    String told = look.silent().values().iterator().next().toString();
    assertThat(told).startsWith("the process of rank 2 of communicator abc, on ").isPrintable();
    return told.substring(told.indexOf(", on ") + 5);
  }

  private void third(LookListener listener) {
    ranks.get(2).onLook(listener);
  }

  @Test
  void allRanksAreSeenAndTheirHostsNamed() throws Exception {
    third(reply -> reply.answer(bytes(state(2))));
    LiveLook look = look();
    assertThat(seen(look)).containsExactly(0, 1, 2);
    assertThat(look.silent()).isEmpty();
    assertThat(look.processes()).isEqualTo(3);
    assertThat(look.ranks().stream().map(LiveRank::host).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder("node0?[31m", "node1?[31m", "node2?[31m");
    third(reply -> reply.refuse("is tired"));
    assertThat(whySilent()).matches("node2\\?\\[31m at 127\\.0\\.0\\.1:\\d+, is tired");
  }

  /** Rank 2, whose clock is decades behind, has not made the call in which rank 0 waits. */
  @Test
  void theClocksOfHostsDoNotCount() throws Exception {
    third(reply -> reply.answer(bytes(state(2))));
    String stuck =
        state(0)
            .replace("\"written_us\":0", "\"written_us\":1790000000000000")
            .replace("\"quiet_us\":0", "\"quiet_us\":7000000")
            .replace("\"collectives\":1", "\"collectives\":2")
            .replace(
                "\"waits\":[]",
                "\"waits\":[{\"rank\":2,\"process\":\"p2\",\"transport\":\"NET\",\"for\":\"bytes\"}]")
            .replace(
                "\"operations\":[]",
                "\"operations\":[{\"collective\":\"all_reduce\",\"call\":\"the call\",\"number\":2,"
                    + "\"state\":\"begun\",\"submitted_us\":null,\"begun_us\":null}]");
    LiveLook look = look(request -> request == LiveRequest.STATE ? stuck : members());
    CommunicatorView view = CommunicatorView.of(look, new RankHistory().take(look)).getFirst();
    assertThat(view.diagnosis().sentences())
        .containsExactly(
            "Ranks 1, 2 are behind: they have called 1 collective(s), another rank 2; they have not"
                + " called collective 2, the call; rank 0 has waited for 7.0 s.",
            "Rank 0 waits for rank 2 over NET: bytes.");
  }

  @Test
  void garbageIsNamed() throws Exception {
    third(reply -> reply.answer(bytes("\u001b]0;{\"format\":")));
    assertThat(whySilent()).contains("has sent what is no answer: its answer is no whole JSON");
    third(reply -> reply.answer(new byte[0]));
    assertThat(whySilent()).contains("has sent what is no answer: ");
    third(reply -> reply.answer(bytes("[".repeat(100_000))));
    assertThat(whySilent()).contains("has sent what is no answer: ");
    third(reply -> reply.answer(bytes("{\"format\":\"nitinol-top\",\"ranks\":[{\"size\":-1}]}")));
    assertThat(whySilent()).contains("has sent what is no answer: \"size\" is -1; expected ");
  }

  @Test
  void aHugeAnswerIsNamed() throws Exception {
    third(reply -> reply.answer(new byte[5 << 20]));
    assertThat(whySilent()).contains("has an answer of 5242880 bytes; at most 4194304 are sent");
  }

  @Test
  void anAnswerAboutOthersIsNotBelieved() throws Exception {
    for (String lie :
        List.of(
            state(1, COMMUNICATOR, SIZE, "p1"),
            state(1, COMMUNICATOR, SIZE, "p2"),
            state(2, "def", SIZE, "p2"),
            state(2, COMMUNICATOR, 9, "p2"))) {
      third(reply -> reply.answer(bytes(lie)));
      assertThat(whySilent()).contains("its answer tells of rank ", "which is none of its own");
    }
  }

  @Test
  void aPeerThatStallsIsNamedWhenThePatienceEnds() throws Exception {
    third(reply -> {});
    patience = Duration.ofSeconds(4); // after 5 s a rank closes a look
    assertThat(whySilent())
        .contains("does not answer, and its host does: it is stopped (SIGSTOP or a debugger)");
  }

  /** It is connected to once, by the first look, and its answer may still come. */
  @Test
  void aStoppedProcessGetsOneConnectionHoweverOftenItIsLookedAt() throws Exception {
    try (ServerSocket stopped = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      third = (InetSocketAddress) stopped.getLocalSocketAddress();
      patience = Duration.ofSeconds(5);
      for (int i = 0; i < 3; i++) {
        assertThat(whySilent()).contains("does not answer, and its host does");
      }
      stopped.setSoTimeout(1000);
      try (Socket _ = stopped.accept()) {
        assertThatThrownBy(stopped::accept).isInstanceOf(SocketTimeoutException.class);
      }
    }
    third = ranks.getFirst().addresses().get(2);
  }

  /** As when its communicator has ended, of which no other rank tells any more. */
  @Test
  void aQuestionThatIsNoLongerPutIsGivenUp() throws Exception {
    try (ServerSocket stopped = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      third = (InetSocketAddress) stopped.getLocalSocketAddress();
      patience = Duration.ofSeconds(5);
      assertThat(whySilent()).contains("does not answer, and its host does");
      try (Socket connection = stopped.accept()) {
        assertThat(connection.getInputStream().read()).as("its opening").isNotNegative();
        job.begin(job.toAsk(Set.of()), 1 << 20);
        connection.setSoTimeout(500);
        assertThatThrownBy(() -> connection.getInputStream().readAllBytes())
            .as("it is kept")
            .isInstanceOf(SocketTimeoutException.class);
        connection.setSoTimeout(60_000);
        job.begin(List.of(), 1 << 20);
        assertThat(connection.getInputStream().read()).isEqualTo(-1);
      }
    }
    third = ranks.getFirst().addresses().get(2);
  }

  /** One of this host that answers late, as on a loaded machine, and the others not at all. */
  @Test
  void aJobIsKeptWhileItsProcessHereMayStillAnswer() throws Exception {
    third(reply -> reply.answer(bytes(state(2))));
    assertThat(seen(look())).containsExactly(0, 1, 2);
    CountDownLatch over = new CountDownLatch(1);
    Function<LiveRequest, String> late =
        request -> {
          try {
            over.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return state(0);
        };
    ranks.get(1).onLook(null);
    third(null);
    LiveDirectory directory = LiveDirectory.of(Map.of(), base.toString());
    try (LiveServer _ = LiveServer.open(directory, HERE, late, Log.process())) {
      Duration brief = Duration.ofSeconds(5);
      assertThat(seen(LiveLook.take(directory, job, brief))).isEmpty();
      ranks.get(1).onLook(reply -> reply.answer(bytes(state(1))));
      assertThat(seen(LiveLook.take(directory, job, brief))).containsExactly(1);
      over.countDown();
    }
    ranks.get(1).onLook(null);
    assertThat(seen(LiveLook.take(directory, job, patience))).isEmpty();
    assertThat(job.isEmpty()).as("its process here has gone, and no other one answers").isTrue();
  }

  /** Returns the same communicator under another name, with another listener of rank 2. */
  private String another(String name, String process, ServerSocket listener) {
    String all = members();
    String one = all.substring(all.indexOf("[{") + 1, all.lastIndexOf(']'));
    return one.replace(COMMUNICATOR, name)
        .replace("\"p2\"", '"' + process + '"')
        .replace(
            third.getAddress().getHostAddress() + "\",\"port\":" + third.getPort(),
            listener.getInetAddress().getHostAddress() + "\",\"port\":" + listener.getLocalPort());
  }

  private LiveLook lookBeside(String other) throws Exception {
    String beside = members().replace("\"communicators\":[", "\"communicators\":[" + other + ',');
    return look(request -> request == LiveRequest.STATE ? state(0) : beside);
  }

  @Test
  void aCommunicatorThatIsStuckHidesNoOtherOneOfItsProcess() throws Exception {
    third(reply -> reply.answer(bytes(state(2))));
    patience = Duration.ofSeconds(8);
    try (ServerSocket stuck = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 3; i++) {
        LiveLook look = lookBeside(another("aaa", "p2", stuck));
        assertThat(seen(look)).containsExactly(0, 1, 2);
        assertThat(look.silent("aaa", "p2").toString())
            .contains("has answered about 1 of 2 communicators within ");
        assertThat(look.silent(COMMUNICATOR, "p2")).isNull();
      }
      stuck.setSoTimeout(1000);
      try (Socket _ = stuck.accept()) {
        assertThatThrownBy(stuck::accept).isInstanceOf(SocketTimeoutException.class);
      }
    }
  }

  @Test
  void aRankThatLiesAboutItsProcessSilencesNone() throws Exception {
    third(reply -> reply.answer(bytes(state(2))));
    patience = Duration.ofSeconds(8);
    try (ServerSocket liar = new ServerSocket(0, 9, InetAddress.ofLiteral("127.0.0.2"))) {
      LiveLook look = lookBeside(another("aaa", "p1", liar));
      assertThat(seen(look)).containsExactly(0, 1, 2);
      assertThat(look.silent().values())
          .extracting(LiveLook.Silent::toString)
          .anyMatch(why -> why.contains("127.0.0.2") && why.contains("and its host does"));
    }
  }

  @Test
  void aQuestionWhoseTurnHasNotComeIsTheNextTimesFirst() throws Exception {
    job.learn(bytes(members()));
    List<JobMembers.Asked> asked = job.toAsk(Set.of());
    JobMembers.Asked last = asked.getLast();
    MemberLook look = new MemberLook(last.members(), new byte[32], SIZE, new AtomicLong());
    job.end(new Question(last, look), false);
    assertThat(job.toAsk(Set.of())).hasSize(SIZE).first().isEqualTo(last);
  }

  /** Its answers come from one thread, before which only so many wait. */
  @Test
  void aProcessOfManyCommunicatorsIsAskedAboutSomeAtOnce() throws Exception {
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger asked = new AtomicInteger();
    third(reply -> {
      asked.incrementAndGet();
      most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
      Thread.startVirtualThread(() -> {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        atOnce.decrementAndGet();
        reply.answer(bytes(state(2)));
      });
    });
    String first = members();
    String one = first.substring(first.indexOf("[{") + 1, first.lastIndexOf(']'));
    StringBuilder many = new StringBuilder(one);
    for (int i = 1; i < 20; i++) {
      many.append(',').append(one.replace(COMMUNICATOR, COMMUNICATOR + i));
    }
    LiveLook look =
        look(request -> request == LiveRequest.STATE ? state(0) : first.replace(one, many));
    assertThat(look.problems()).isEmpty();
    assertThat(seen(look)).containsExactly(0, 1, 2);
    assertThat(asked).hasValue(20);
    assertThat(most.get()).isBetween(2, ProcessLook.MOST_OPEN);
  }

  @Test
  void aWrongKeyIsNamed() throws Exception {
    key = "00".repeat(32);
    LiveLook look = look();
    assertThat(seen(look)).containsExactly(0);
    assertThat(look.silent().values())
        .hasSize(2)
        .allMatch(silent -> silent.why().contains("does not know this communicator's secret"));
  }

  @Test
  void aStrangerInThePlaceOfARankIsNamed() throws Exception {
    try (ServerSocket stranger = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      third = (InetSocketAddress) stranger.getLocalSocketAddress();
      Thread.startVirtualThread(() -> speak(stranger));
      assertThat(whySilent()).contains("is not what answers there: it does not speak Nitinol's");
    }
    assertThat(whySilent()).contains("nothing listens there");
  }

  private static void speak(ServerSocket stranger) {
    try (Socket socket = stranger.accept()) {
      socket.getOutputStream().write(bytes("SSH-2.0-OpenSSH_9.9\r\n"));
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aProcessHereThatIsTooOldIsNamed() throws Exception {
    LiveLook look =
        look(request ->
            request == LiveRequest.STATE
                ? state(0)
                : "{\"format\":\"nitinol-top\",\"version\":1,\"error\":\"this process knows no such request\"}\n");
    assertThat(seen(look)).containsExactly(0);
    assertThat(look.problems()).singleElement().asString().contains("too old for top --job");
  }
}
