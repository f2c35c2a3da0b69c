// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.ib.frames.IbFrameKind;
import io.nitinol.net.ib.frames.Pipe;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.control.PeerReason;
import io.nitinol.toolkit.control.ProvenFrames;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LifelineTest {
  private Pipe pipe;
  private Lifeline lifeline;

  @BeforeEach
  void connect() throws IOException {
    pipe = new Pipe();
    lifeline = new Lifeline(pipe.nearFrames());
    assertThat(lifeline.look()).isNull();
  }

  @AfterEach
  void close() throws IOException {
    pipe.close();
  }

  private String end() {
    String end = lifeline.look();
    while (end == null) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
      end = lifeline.look();
    }
    assertThat(lifeline.look()).isEqualTo(end);
    return end;
  }

  @Test
  void lastWordsAreHeardAlthoughTheConnectionIsClosed() throws Exception {
    new Lifeline(pipe.farFrames())
        .close(new NetException(ResultCode.SYSTEM_ERROR, "the card\nis on fire"));
    assertThat(end()).isEqualTo("it says: the card?is on fire");
  }

  @Test
  void aReasonNotToConnectThatComesLateIsHeard() throws Exception {
    ProvenFrames<IbFrameKind> far = pipe.farFrames();
    IbFrameKind.fail(far, new PeerReason(ResultCode.SYSTEM_ERROR, "no queue pair for flushes"));
    assertThat(end()).isEqualTo("it says: no queue pair for flushes");
  }

  @Test
  void wordsThatAreNotThePeersAreNotQuoted() throws Exception {
    ProvenFrames<IbFrameKind> far = pipe.nearFrames();
    ByteBuffer words = ByteBuffer.wrap(new byte[] {0, 2, 'f', 'o', 'r', 'g', 'e', 'd'});
    far.say(IbFrameKind.FAILURE, words);
    assertThat(far.said()).isTrue();
    ByteBuffer frame = ByteBuffer.allocate(words.limit() + 40);
    while (frame.hasRemaining()) {
      assertThat(pipe.far.read(frame)).isPositive();
    }
    pipe.far.write(frame.flip());
    assertThat(end()).startsWith("it sent a frame with a wrong code").doesNotContain("forged");
  }

  @Test
  void otherFramesAreTheEnd() throws Exception {
    ProvenFrames<IbFrameKind> far = pipe.farFrames();
    far.say(IbFrameKind.READY, ByteBuffer.allocate(0));
    assertThat(far.said()).isTrue();
    assertThat(end()).isEqualTo("it sent a frame of kind READY, expected FAILURE");
  }

  /** A side that is at work hears the end, and loses nothing that is for later. */
  @Test
  void whatComesEarlyIsKept() throws Exception {
    ProvenFrames<IbFrameKind> far = pipe.farFrames();
    far.say(IbFrameKind.STOP, new PeerReason(ResultCode.REMOTE_ERROR, "no answer").encode());
    far.say(IbFrameKind.STANDING, ByteBuffer.wrap(new byte[] {7}));
    far.say(IbFrameKind.INFO, ByteBuffer.wrap(new byte[] {8}));
    assertThat(far.said()).isTrue();
    IbFrameKind.fail(far, new PeerReason(ResultCode.SYSTEM_ERROR, "out of memory"));
    await(() -> {
      assertThat(lifeline.listen()).isNull();
      return lifeline.stop() != null;
    });
    for (int i = 0; i < 10; i++) {
      assertThat(lifeline.listen()).as("behind what has not been asked for").isNull();
    }
    ByteBuffer[] body = new ByteBuffer[1];
    for (int expected = 7; expected <= 8; expected++) {
      IbFrameKind kind = expected == 7 ? IbFrameKind.STANDING : IbFrameKind.INFO;
      await(() -> (body[0] = lifeline.hear(kind)) != null);
      assertThat(body[0].get()).isEqualTo((byte) expected);
    }
    await(() -> lifeline.listen() != null);
    assertThat(lifeline.end()).isEqualTo("it says: out of memory");
    assertThat(lifeline.hear(IbFrameKind.READY)).isNull();
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
    }
  }

  @Test
  void aConnectionThatTheKernelGivesUpNamesTheVariable() {
    lifeline = new Lifeline(Pipe.frames(failing(new IOException("Connection timed out"))));
    assertThat(end()).isEqualTo("Connection timed out, see NITINOL_IB_KEEPALIVE_SEC");
    lifeline = new Lifeline(Pipe.frames(failing(new SocketException("Connection reset"))));
    assertThat(end()).isEqualTo("Connection reset");
  }

  private static ByteChannel failing(IOException why) {
    return new ByteChannel() {
      @Override
      public int read(ByteBuffer into) throws IOException {
        throw why;
      }

      @Override
      public int write(ByteBuffer from) throws IOException {
        throw why;
      }

      @Override
      public boolean isOpen() {
        return true;
      }

      @Override
      public void close() {}
    };
  }

  @Test
  void aClosedConnectionIsTheEnd() throws Exception {
    pipe.far.close();
    assertThat(end()).isEqualTo("it has closed the connection");
  }
}
