// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.data.ClearToSend;
import io.nitinol.net.ib.data.Flushes;
import io.nitinol.net.ib.data.IbConnection;
import io.nitinol.net.ib.data.IbRecvEnd;
import io.nitinol.net.ib.data.Paths;
import io.nitinol.net.ib.data.QueueSizes;
import io.nitinol.net.ib.data.Stripes;
import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.net.ib.frames.IbFrameKind;
import io.nitinol.spi.DebugLogger;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.connect.Proven;
import io.nitinol.toolkit.control.FrameException;
import io.nitinol.toolkit.control.ProvenFrames.Frame;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The accepting side, which becomes the receiving end; mirrors {@code ncclIbAccept}: hears of the
 * peer's queue pairs, makes and connects its own, tells of them, and waits until the peer is ready.
 */
final class Accepting extends QueuePairExchange<IbRecvEnd> {
  private enum State {
    HEARING,
    MAKING,
    CONNECTING,
    FLUSHES,
    SAYING,
    READY
  }

  private final boolean flushing;

  private State state = State.HEARING;
  private @Nullable IbConnection connection;
  private @Nullable QueuePairSetup setup;
  private @Nullable EndInfo heard;

  Accepting(IbDevice device, IbOptions options, Proven proven, Pace pace, DebugLogger logger) {
    super(device, options, Width.of(device, options), proven, Role.ACCEPTOR, pace, logger);
    this.flushing = device.gpuDirect() && !options.flushDisabled();
  }

  @Override
  @Nullable IbRecvEnd step() throws IOException, FrameException {
    if (state == State.HEARING) {
      // Listening costs nothing: the one step of each call is for a peer that was heard.
      if (heard == null) {
        Frame<IbFrameKind> frame = hear(IbFrameKind.INFO);
        if (frame == null) {
          return null;
        }
        heard = EndInfo.decode(frame.body());
        check(heard);
      }
      if (!pace.hasTime()) {
        return null;
      }
      IbConnection made = keep(open(heard));
      connection = made;
      setup = new QueuePairSetup(made, options.connection(), pace);
      state = State.MAKING;
    }
    IbConnection own = Objects.requireNonNull(connection, "connection");
    QueuePairSetup pairs = Objects.requireNonNull(setup, "setup");
    EndInfo other = Objects.requireNonNull(heard, "what the peer has said");
    if (state == State.MAKING && pairs.make()) {
      state = State.CONNECTING;
    }
    if (state == State.CONNECTING && pairs.connect(other, other)) {
      frames.say(
          IbFrameKind.INFO, pairs.info(options, own.address() + IbRecvEnd.SIZES_OFFSET).encode());
      state = State.FLUSHES;
    }
    if (state == State.FLUSHES && (!flushing || pairs.loopBack(pairs.info(options, 0)))) {
      state = State.SAYING;
    }
    if (state == State.SAYING && frames.said()) {
      state = State.READY;
    }
    return state == State.READY && hear(IbFrameKind.READY) != null ? end(own, other) : null;
  }

  private int ports(EndInfo other) {
    return Math.max(ownWidth.ports(), other.ports().size());
  }

  private Stripes stripes(EndInfo other) {
    int lanes = other.queuePairs().size();
    return new Stripes(lanes, other.split() ? lanes : ports(other));
  }

  /**
   * The sender knows what this side wants, by the handle, and takes as many queue pairs or more.
   */
  private void check(EndInfo other) throws FrameException {
    int lanes = other.queuePairs().size();
    if (lanes < ownWidth.lanes() || lanes < other.ports().size()) {
      throw new FrameException(
          ErrorText.of(
              "%d queue pairs on %d ports, expected %d or more",
              lanes, other.ports().size(), Math.max(ownWidth.lanes(), other.ports().size())));
    }
    PeerCheck.check(label, device.linkLayer(), lanes, ClearToSend.SIZE, ClearToSend.ENTRY, other);
  }

  private IbConnection open(EndInfo other) {
    Stripes stripes = stripes(other);
    return new IbConnection(
        device,
        label,
        frames,
        Paths.of(false, stripes.lanes(), ownWidth.ports(), other.ports().size()),
        stripes,
        QueueSizes.receiving(
            stripes,
            ports(other),
            flushing,
            options.transfer().inline() ? ClearToSend.ENTRY : 0,
            least(port -> port.card().attributes().maxWorkRequests()),
            least(port -> port.card().attributes().maxCompletions())),
        IbRecvEnd.MEMORY);
  }

  private IbRecvEnd end(IbConnection own, EndInfo other) {
    return new IbRecvEnd(
        own,
        other.memory(),
        options.transfer().inline(),
        flushing ? new Flushes(own) : null,
        survival(own, other, own.address() + IbRecvEnd.SIZES_OFFSET));
  }
}
