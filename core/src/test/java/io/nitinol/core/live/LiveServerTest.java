// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.log.Log;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process answers, and no client keeps it from answering others. */
class LiveServerTest {
  /** Far more than a socket takes before it is read. */
  private static final int LARGE = 8 << 20;

  @TempDir private Path base;

  private LiveServer open(Function<LiveRequest, String> answers) throws IOException {
    return LiveServer.open(directory(), 7, answers, Log.process());
  }

  private LiveDirectory directory() {
    return LiveDirectory.of(Map.of(), base.toString());
  }

  private LiveProcess process() throws IOException {
    List<LiveProcess> found = directory().processes(problem -> {});
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private String ask() throws IOException {
    return new String(process().ask(LiveRequest.STATE), StandardCharsets.UTF_8);
  }

  private SocketChannel connect() throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    channel.connect(UnixDomainSocketAddress.of(process().socket()));
    return channel;
  }

  private static void send(SocketChannel channel, String text) throws IOException {
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
  }

  /** Waits until the server has closed the connection, and returns what came before. */
  private static String rest(SocketChannel channel) throws IOException {
    StringBuilder text = new StringBuilder();
    ByteBuffer part = ByteBuffer.allocate(1000);
    try {
      while (channel.read(part) >= 0) {
        text.append(StandardCharsets.UTF_8.decode(part.flip()));
        part.clear();
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("reset"); // it had not read all
    }
    return text.toString();
  }

  @Test
  void aRequestIsAnsweredAgainAndAgain() throws IOException {
    try (LiveServer _ = open(request -> "it is " + request + "\n")) {
      assertThat(ask()).isEqualTo("it is STATE\n");
      assertThat(ask()).isEqualTo("it is STATE\n");
      assertThat(process().number()).isEqualTo(7);
    }
    assertThat(directory().processes(problem -> {})).as("the socket is removed").isEmpty();
  }

  @Test
  void aLargeAnswerComesWhole() throws IOException {
    String large = "x".repeat(LARGE) + "\n";
    try (LiveServer _ = open(request -> large)) {
      assertThat(ask()).isEqualTo(large);
    }
  }

  /** So an answer that is cut at the end of a line is not taken for a whole one. */
  @Test
  void anAnswerHasNoEndOfLineButItsOwn() throws IOException {
    try (LiveServer _ = open(request -> "{\"a\":[\n1,\n2]}\n")) {
      assertThat(ask()).isEqualTo("{\"a\":[ 1, 2]}\n");
    }
  }

  @Test
  void aLineInPiecesIsARequestToo() throws IOException {
    try (LiveServer _ = open(request -> "well\n");
        SocketChannel client = connect()) {
      send(client, "nitinol-top 1 ");
      assertThat(ask()).as("another client meanwhile").isEqualTo("well\n");
      send(client, "state\n");
      assertThat(rest(client)).isEqualTo("well\n");
    }
  }

  @Test
  void anUnknownRequestGetsAnError() throws IOException {
    try (LiveServer _ = open(request -> "never");
        SocketChannel client = connect()) {
      send(client, "nitinol-top 9 everything\n");
      assertThat(rest(client)).contains("\"error\":\"this process knows no such request\"");
    }
  }

  @Test
  void aLineWithoutEndIsNotReadFurther() throws IOException {
    try (LiveServer _ = open(request -> "well\n");
        SocketChannel client = connect()) {
      send(client, "x".repeat(LiveRequest.MOST_BYTES));
      assertThat(rest(client)).isEmpty();
      assertThat(ask()).isEqualTo("well\n");
    }
  }

  @Test
  void aClientThatSaysNothingIsDropped() throws IOException {
    try (LiveServer _ = open(request -> "well\n");
        SocketChannel silent = connect()) {
      assertThat(ask()).isEqualTo("well\n");
      assertThat(rest(silent)).isEmpty();
    }
  }

  @Test
  void aClientThatDoesNotReadIsDropped() throws IOException {
    String large = "x".repeat(LARGE) + "\n";
    try (LiveServer _ = open(request -> large);
        SocketChannel stalling = connect()) {
      send(stalling, "nitinol-top 1 state\n");
      assertThat(stalling.read(ByteBuffer.allocate(1))).as("answered as far as it goes").isOne();
      try (SocketChannel silent = connect()) {
        assertThat(rest(silent)).as("dropped later than the other one").isEmpty();
      }
      assertThat(rest(stalling).length()).isLessThan(LARGE);
      assertThat(ask()).isEqualTo(large);
    }
  }

  @Test
  void theOldestOfTooManyClientsIsDropped() throws IOException {
    List<SocketChannel> crowd = new ArrayList<>();
    try (LiveServer _ = open(request -> "well\n")) {
      for (int i = 0; i < 3 * LiveServer.MOST_CLIENTS; i++) {
        crowd.add(connect());
        assertThat(ask()).isEqualTo("well\n");
      }
      assertThat(rest(crowd.getFirst())).isEmpty();
    } finally {
      for (SocketChannel each : crowd) {
        each.close();
      }
    }
  }

  @Test
  void aSocketThatThisProcessHasLeftIsReplaced() throws IOException {
    Path left = directory().<Path>socket(7, path -> path);
    Files.createFile(left);
    try (LiveServer _ = open(request -> "well\n")) {
      assertThat(ask()).isEqualTo("well\n");
    }
  }

  @Test
  void itsEndEndsAllClientsWhateverTheyWaitFor() throws Exception {
    String large = "x".repeat(LARGE) + "\n";
    List<SocketChannel> clients = new ArrayList<>();
    LiveProcess process;
    try (LiveServer _ = open(request -> large)) {
      process = process();
      for (int i = 0; i < LiveServer.MOST_CLIENTS; i++) {
        SocketChannel client = connect();
        clients.add(client);
        // Nothing, half a request, or a whole one whose answer does not fit into the socket.
        send(client, List.of("", "nitinol-top 1 st", "nitinol-top 1 state\n").get(i % 3));
      }
      ByteBuffer one = ByteBuffer.allocate(1);
      assertThat(clients.get(2).read(one)).as("its answer is under way").isOne();
    }
    for (SocketChannel client : clients) {
      assertThat(rest(client).length()).isLessThan(LARGE);
      client.close();
    }
    assertThat(directory().processes(problem -> {})).isEmpty();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("nitinol-top") && thread.isAlive());
    assertThatThrownBy(() -> process.ask(LiveRequest.STATE))
        .as("it was listed before the end")
        .isInstanceOf(ConnectException.class)
        .hasMessageContaining("has closed its socket");
    try (LiveServer _ = open(request -> "again\n")) {
      assertThat(ask()).isEqualTo("again\n");
    }
  }

  /** A process that makes and closes communicators opens and closes its socket each time. */
  @Test
  void manyThatAskWhileItOpensAndClosesGetAWholeAnswerOrHearThatItIsClosed() throws Exception {
    String large = "x".repeat(1 << 20) + "\n";
    LiveProcess process;
    try (LiveServer _ = open(request -> large)) {
      process = process();
    }
    AtomicBoolean over = new AtomicBoolean();
    List<Future<Integer>> asking = new ArrayList<>();
    int whole = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 8; i++) {
        asking.add(
            threads.submit(() -> {
              int answers = 0;
              while (!over.get()) {
                try {
                  assertThat(process.ask(LiveRequest.STATE)).hasSize(large.length());
                  answers++;
                } catch (ConnectException e) {
                  Thread.yield(); // it is closed just now
                } catch (IOException e) {
                  assertThat(e).hasMessageContaining("has cut off its answer 10 times");
                }
              }
              return answers;
            }));
      }
      try {
        for (int i = 0; i < 100; i++) {
          try (LiveServer _ = open(request -> large)) {
            assertThat(process.ask(LiveRequest.STATE)).hasSize(large.length());
          }
        }
      } finally {
        over.set(true);
      }
      for (Future<Integer> each : asking) {
        whole += each.get();
      }
    }
    assertThat(whole).isPositive();
  }
}
