// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.log.Log;
import java.io.IOException;
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
    try (LiveServer _ = open(request -> "it is " + request)) {
      assertThat(ask()).isEqualTo("it is STATE");
      assertThat(ask()).isEqualTo("it is STATE");
      assertThat(process().number()).isEqualTo(7);
    }
    assertThat(directory().processes(problem -> {})).as("the socket is removed").isEmpty();
  }

  @Test
  void aLargeAnswerComesWhole() throws IOException {
    String large = "x".repeat(LARGE);
    try (LiveServer _ = open(request -> large)) {
      assertThat(ask()).isEqualTo(large);
    }
  }

  @Test
  void aLineInPiecesIsARequestToo() throws IOException {
    try (LiveServer _ = open(request -> "well");
        SocketChannel client = connect()) {
      send(client, "nitinol-top 1 ");
      assertThat(ask()).as("another client meanwhile").isEqualTo("well");
      send(client, "state\n");
      assertThat(rest(client)).isEqualTo("well");
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
    try (LiveServer _ = open(request -> "well");
        SocketChannel client = connect()) {
      send(client, "x".repeat(LiveRequest.MOST_BYTES));
      assertThat(rest(client)).isEmpty();
      assertThat(ask()).isEqualTo("well");
    }
  }

  @Test
  void aClientThatSaysNothingIsDropped() throws IOException {
    try (LiveServer _ = open(request -> "well");
        SocketChannel silent = connect()) {
      assertThat(ask()).isEqualTo("well");
      assertThat(rest(silent)).isEmpty();
    }
  }

  @Test
  void aClientThatDoesNotReadIsDropped() throws IOException {
    String large = "x".repeat(LARGE);
    try (LiveServer _ = open(request -> large);
        SocketChannel stalling = connect();
        SocketChannel silent = connect()) {
      send(stalling, "nitinol-top 1 state\n");
      assertThat(rest(silent)).as("dropped later than the other one").isEmpty();
      assertThat(rest(stalling).length()).isLessThan(LARGE);
      assertThat(ask()).isEqualTo(large);
    }
  }

  @Test
  void theOldestOfTooManyClientsIsDropped() throws IOException {
    List<SocketChannel> crowd = new ArrayList<>();
    try (LiveServer _ = open(request -> "well")) {
      for (int i = 0; i < 3 * LiveServer.MOST_CLIENTS; i++) {
        crowd.add(connect());
        assertThat(ask()).isEqualTo("well");
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
    try (LiveServer _ = open(request -> "well")) {
      assertThat(ask()).isEqualTo("well");
    }
  }
}
