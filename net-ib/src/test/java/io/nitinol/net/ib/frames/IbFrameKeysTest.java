// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.RecordingLog;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.connect.Agreement;
import io.nitinol.toolkit.connect.Completion;
import io.nitinol.toolkit.connect.ConnectOptions;
import io.nitinol.toolkit.connect.Connector;
import io.nitinol.toolkit.connect.Listener;
import io.nitinol.toolkit.connect.LocalEnd;
import io.nitinol.toolkit.connect.Proven;
import io.nitinol.toolkit.control.FrameException;
import io.nitinol.toolkit.control.ProvenFrames;
import io.nitinol.toolkit.control.ProvenFrames.Frame;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Frames on two connections to one listener, whose keys are those that real proofs give. */
class IbFrameKeysTest {
  private static final int READY_BYTES = 8 + 32;

  /** One side of a connection. */
  private record Side(ProvenFrames<IbFrameKind> frames, SocketChannel channel, Proven proven)
      implements Completion<Side> {
    static Side of(Proven proven, Role role) {
      return new Side(
          ProvenFrames.on(IbFrameKind.FORMAT, proven, role), proven.channels()[0], proven);
    }

    @Override
    public String what() {
      return "test";
    }

    @Override
    public Side advance() {
      return this;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }

    void say() throws IOException {
      frames.say(IbFrameKind.READY, ByteBuffer.allocate(0));
      assertThat(frames.said()).isTrue();
    }

    Frame<IbFrameKind> hear() throws Exception {
      return until(frames::hear);
    }

    /** Takes the next frame as it came, before it is heard. */
    ByteBuffer bytes() throws Exception {
      ByteBuffer bytes = ByteBuffer.allocate(READY_BYTES);
      until(() -> channel.read(bytes) >= 0 && !bytes.hasRemaining() ? bytes : null);
      return bytes.flip();
    }
  }

  private final Arena arena = Arena.ofShared();
  private Listener<Side> listener;
  private Side connecting;
  private Side accepting;
  private Side otherConnecting;
  private Side otherAccepting;

  private static <T> T until(Callable<T> call) throws Exception {
    T result = call.call();
    while (result == null) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
      result = call.call();
    }
    return result;
  }

  @BeforeEach
  void connect() throws Exception {
    ConnectOptions options = IbOptions.read(Settings.of(Map.of())).connecting();
    RecordingLog logger = new RecordingLog();
    LocalEnd here = new LocalEnd(0, InetAddress.getLoopbackAddress(), "test");
    MemorySegment handle = arena.allocate(Listener.HANDLE_BYTES);
    listener =
        Listener.open(
            here, Agreement.ONE, handle, options, logger, proven -> Side.of(proven, Role.ACCEPTOR));
    Connector<Side> connector = new Connector<>(options, logger);
    until(() -> pair(connector, here, handle));
    otherConnecting = connecting;
    otherAccepting = accepting;
    connecting = null;
    accepting = null;
    until(() -> pair(connector, here, handle));
  }

  private Side pair(Connector<Side> connector, LocalEnd here, MemorySegment handle) {
    if (connecting == null) {
      connecting = connector.connect(here, handle, proven -> Side.of(proven, Role.CONNECTOR));
    }
    if (accepting == null) {
      accepting = listener.poll();
    }
    return accepting == null ? null : connecting;
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
    for (Side each : new Side[] {connecting, accepting, otherConnecting, otherAccepting}) {
      each.close();
    }
    arena.close();
  }

  @Test
  void bothSidesUnderstandEachOther() throws Exception {
    connecting.say();
    accepting.say();
    assertThat(accepting.hear().kind()).isEqualTo(IbFrameKind.READY);
    assertThat(connecting.hear().kind()).isEqualTo(IbFrameKind.READY);
  }

  /** The text from which keys follow is part of the wire's format, as the frames are. */
  @Test
  void theKeyOfTheCodesIsThatOfVersion5() throws Exception {
    connecting.say();
    byte[] use = "nitinol verbs frames".getBytes(StandardCharsets.US_ASCII);
    byte[] key = accepting.proven.binding(0, Role.CONNECTOR, use);
    byte[] coded = {0, 5, 0, 2};
    assertThat(accepting.bytes())
        .isEqualTo(
            ByteBuffer.allocate(READY_BYTES)
                .putInt(READY_BYTES - Integer.BYTES)
                .put(coded)
                .put(PeerProof.hmac(key, new byte[Long.BYTES], coded))
                .flip());
  }

  @Test
  void aFrameThatIsSentBackIsAWrongCode() throws Exception {
    connecting.say();
    accepting.channel.write(accepting.bytes());
    assertThatThrownBy(connecting::hear)
        .isInstanceOf(FrameException.class)
        .hasMessageContaining("wrong code");
  }

  @Test
  void aFrameOfAnotherConnectionToTheListenerIsAWrongCode() throws Exception {
    connecting.say();
    otherConnecting.channel.write(accepting.bytes());
    assertThatThrownBy(otherAccepting::hear)
        .isInstanceOf(FrameException.class)
        .hasMessageContaining("wrong code");
  }
}
