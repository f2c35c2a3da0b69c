// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.data.FailoverPolicy;
import io.nitinol.net.ib.data.IbConnection;
import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.net.ib.device.IbPort;
import io.nitinol.net.ib.frames.IbFrameKind;
import io.nitinol.net.ib.verbs.VerbsException;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.connect.Completion;
import io.nitinol.toolkit.connect.Proven;
import io.nitinol.toolkit.control.FrameException;
import io.nitinol.toolkit.control.PeerReason;
import io.nitinol.toolkit.control.ProvenFrames;
import io.nitinol.toolkit.control.ProvenFrames.Frame;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What both sides tell each other over a connection that has been proven: ports and queue pairs, or
 * why there will be none; NCCL's states of {@code ncclIbCommStage}. The queue pairs come up in
 * between. Each call goes as far as it can without waiting.
 *
 * @param <C> the comm that comes of it
 */
abstract class QueuePairExchange<C extends Comm> implements Completion<C> {
  final IbDevice device;
  final IbOptions options;
  final Width peerWidth;
  final Width ownWidth;
  final String label;
  final Pace pace;
  final ProvenFrames<IbFrameKind> frames;

  private final DebugLogger logger;
  private @Nullable IbConnection connection;
  private boolean done;

  /**
   * Begins.
   *
   * @param proven the connection, which is this object's from the return on
   * @param side which side of it this is
   * @param logger told when the comm has to do without a port
   */
  QueuePairExchange(
      IbDevice device,
      IbOptions options,
      Width peerWidth,
      Proven proven,
      Role side,
      Pace pace,
      DebugLogger logger) {
    this.device = device;
    this.options = options;
    this.peerWidth = peerWidth;
    this.ownWidth = Width.of(device, options);
    this.label = proven.label();
    this.pace = pace;
    this.logger = logger;
    this.frames = ProvenFrames.on(IbFrameKind.FORMAT, proven, side);
  }

  @Override
  public final String what() {
    return "exchange of queue pairs";
  }

  /** Goes on; returns the comm, which owns the connection then, or null. */
  abstract @Nullable C step() throws IOException, FrameException;

  @Override
  public final @Nullable C advance() throws IOException {
    try {
      C comm = step();
      done = comm != null;
      return comm;
    } catch (FrameException e) {
      throw refuse(
          new NetException(
              ResultCode.REMOTE_ERROR, label + ": the peer sent " + e.getMessage(), e));
    } catch (VerbsException e) {
      throw refuse(new NetException(e.result(), label + ": " + e.getMessage(), e));
    } catch (NetException e) {
      throw refuse(e);
    }
  }

  /** Tells the peer why there will be no connection, so that its error says so, too. */
  private NetException refuse(NetException why) {
    try {
      IbFrameKind.fail(frames, PeerReason.of(why));
    } catch (IOException e) {
      why.addSuppressed(e);
    }
    return why;
  }

  /** Takes over what the two sides' cards are connected by. */
  final IbConnection keep(IbConnection made) {
    connection = made;
    return made;
  }

  /** Returns the next frame, which is of this kind; null: it has not come. */
  final @Nullable Frame<IbFrameKind> hear(IbFrameKind kind) throws IOException, FrameException {
    Frame<IbFrameKind> frame = frames.hear();
    if (frame == null || frame.kind() == kind) {
      return frame;
    }
    if (frame.kind() == IbFrameKind.FAILURE) {
      PeerReason reason = PeerReason.decode(frame.body());
      throw new NetException(
          reason.result(), label + ": the peer does not connect: " + reason.text());
    }
    throw new FrameException("a frame of kind " + frame.kind() + ", expected " + kind);
  }

  /** Returns what the comm does when one of several ports fails. */
  final FailoverPolicy survival(IbConnection own, EndInfo other, long address) {
    int limit = options.failoverMillis();
    return new FailoverPolicy(
        options.failover() ? new Rejoining(own, options, other, address) : null,
        TimeUnit.MILLISECONDS.toNanos(limit),
        logger);
  }

  /** Returns the smallest of a limit of this side's cards. */
  final int least(ToIntFunction<IbPort> limit) {
    return device.ports().stream().mapToInt(limit).min().orElseThrow();
  }

  @Override
  public final void close() throws IOException {
    if (done) {
      return;
    }
    done = true;
    IbConnection made = connection;
    if (made == null) {
      frames.close();
      return;
    }
    Exception problem = made.close();
    if (problem != null) {
      throw new IOException(label + ": cannot free the connection", problem);
    }
  }
}
