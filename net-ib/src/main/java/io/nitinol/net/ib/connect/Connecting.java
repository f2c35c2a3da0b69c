// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.data.IbConnection;
import io.nitinol.net.ib.data.IbSendEnd;
import io.nitinol.net.ib.data.Paths;
import io.nitinol.net.ib.data.QueueSizes;
import io.nitinol.net.ib.data.SizeRecords;
import io.nitinol.net.ib.data.Stripes;
import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.net.ib.device.IbPort;
import io.nitinol.net.ib.frames.IbFrameKind;
import io.nitinol.spi.DebugLogger;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.connect.Proven;
import io.nitinol.toolkit.control.FrameException;
import io.nitinol.toolkit.control.ProvenFrames.Frame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The connecting side, which becomes the sending end; mirrors {@code ncclIbConnect}: makes its
 * queue pairs, tells of them, hears of the peer's, connects them, and says that it is ready.
 */
final class Connecting extends QueuePairExchange<IbSendEnd> {
  private enum State {
    START,
    MAKING,
    SAYING,
    HEARING,
    CONNECTING,
    READY
  }

  private final Stripes stripes;

  private State state = State.START;
  private @Nullable IbConnection connection;
  private @Nullable QueuePairSetup setup;
  private @Nullable EndInfo peer;

  Connecting(IbDevice device, IbOptions options, Proven proven, Pace pace, DebugLogger logger) {
    super(
        device,
        options,
        Width.ofDetail(proven.agreement().detail(), proven.label()),
        proven,
        Role.CONNECTOR,
        pace,
        logger);
    int lanes = ownWidth.lanesWith(peerWidth);
    int ports = Math.max(ownWidth.ports(), peerWidth.ports());
    this.stripes = new Stripes(lanes, options.transfer().split() ? lanes : ports);
  }

  @Override
  @Nullable IbSendEnd step() throws IOException, FrameException {
    pace.begin();
    if (state == State.START) {
      IbConnection made = keep(open());
      connection = made;
      setup = new QueuePairSetup(made, options.connection(), pace);
      state = State.MAKING;
    }
    IbConnection own = Objects.requireNonNull(connection, "connection");
    QueuePairSetup pairs = Objects.requireNonNull(setup, "setup");
    if (state == State.MAKING && pairs.make()) {
      frames.say(IbFrameKind.INFO, pairs.info(options, own.address()).encode());
      state = State.SAYING;
    }
    if (state == State.SAYING && frames.said()) {
      state = State.HEARING;
    }
    if (state == State.HEARING) {
      Frame<IbFrameKind> frame = hear(IbFrameKind.INFO);
      if (frame != null) {
        EndInfo heard = EndInfo.decode(frame.body());
        PeerCheck.check(
            label, device.linkLayer(), stripes.lanes(), SizeRecords.SIZE, Integer.BYTES, heard);
        PeerCheck.ports(label, peerWidth.ports(), heard);
        peer = heard;
        state = State.CONNECTING;
      }
    }
    if (state == State.CONNECTING && pairs.connect(known(), pairs.info(options, own.address()))) {
      frames.say(IbFrameKind.READY, ByteBuffer.allocate(0));
      state = State.READY;
    }
    return state == State.READY && frames.said() ? end(own) : null;
  }

  private IbConnection open() {
    return new IbConnection(
        device,
        label,
        frames,
        Paths.of(true, stripes.lanes(), ownWidth.ports(), peerWidth.ports()),
        stripes,
        QueueSizes.sending(
            stripes,
            options.transfer().inline() ? IbSendEnd.INLINE : 0,
            least(port -> port.card().attributes().maxWorkRequests()),
            least(port -> port.card().attributes().maxCompletions())),
        IbSendEnd.MEMORY);
  }

  private EndInfo known() {
    return Objects.requireNonNull(peer, "what the peer has said");
  }

  private IbSendEnd end(IbConnection own) {
    EndInfo info = known();
    return new IbSendEnd(
        own,
        info.memory(),
        largestWrite(info),
        options.transfer().inline(),
        device.ports().stream().anyMatch(IbPort::adaptiveRouting),
        options.transfer().adaptiveThreshold(),
        survival(own, info, own.address()));
  }

  /** A multiple of the grain, so that a message that takes several writes is cut at lines. */
  private long largestWrite(EndInfo info) {
    long largest = 1L << 30;
    for (PortInfo port : info.ports()) {
      largest = Math.min(largest, port.largestMessage());
    }
    for (IbPort port : device.ports()) {
      largest = Math.min(largest, port.attributes().maxMessageBytes());
    }
    return Stripes.wholeGrains(largest);
  }
}
