// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.config.IbVariables;
import io.nitinol.net.ib.frames.IbFrameKind;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.control.FrameException;
import io.nitinol.toolkit.control.PeerReason;
import io.nitinol.toolkit.control.ProvenFrames;
import io.nitinol.toolkit.control.ProvenFrames.Frame;
import io.nitinol.toolkit.thread.OneThread;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The TCP connection that made the comm, kept open to notice the end of the peer. RDMA does not
 * tell a receiver, and tells a sender only after the retries of {@code NCCL_IB_TIMEOUT} and {@code
 * NCCL_IB_RETRY_CNT}. The frames on it report why a side has failed, and agree how the two go on
 * without a port.
 */
@OneThread
final class Lifeline {
  private final ProvenFrames<IbFrameKind> frames;
  private @Nullable String end;
  private @Nullable String stop;

  /** A frame that came before it was asked for. */
  private @Nullable Frame<IbFrameKind> early;

  /** Takes over the connection. */
  Lifeline(ProvenFrames<IbFrameKind> frames) {
    this.frames = frames;
  }

  /** Returns why the peer is gone, the same from then on, or null while it is there. */
  @Nullable String look() {
    if (stop == null) {
      Frame<IbFrameKind> frame = next();
      if (frame != null) {
        end = "it sent a frame of kind " + frame.kind() + ", expected " + IbFrameKind.FAILURE;
      }
    }
    return end;
  }

  /**
   * Returns why the peer is gone, the same from then on, or null; for a moment in which nothing is
   * expected of it. A frame that comes early is kept for {@link #hear}, and what is behind it has
   * to wait.
   */
  @Nullable String listen() {
    if (early == null) {
      early = next();
    }
    return end;
  }

  /** Returns why the peer is gone, as far as is known. */
  @Nullable String end() {
    return end;
  }

  /** Returns why the peer has stopped, or null while it has not. */
  @Nullable String stop() {
    return stop;
  }

  /** Both go on. */
  void forgetStop() {
    stop = null;
  }

  /**
   * Returns the body of the next frame, which is of this kind, behind one by which the peer stops;
   * null: it has not come, or the peer is gone.
   */
  @Nullable ByteBuffer hear(IbFrameKind kind) {
    Frame<IbFrameKind> frame = early == null ? next() : early;
    early = null;
    if (frame == null || frame.kind() == kind) {
      return frame == null ? null : frame.body();
    }
    end = "it sent a frame of kind " + frame.kind() + ", expected " + kind;
    return null;
  }

  /** Returns the next frame but those that are noted here. */
  private @Nullable Frame<IbFrameKind> next() {
    if (end != null) {
      return null;
    }
    try {
      Frame<IbFrameKind> frame = frames.hear();
      if (frame != null && frame.kind() == IbFrameKind.FAILURE) {
        end = "it says: " + PeerReason.decode(frame.body()).text();
        return null;
      }
      if (frame != null && frame.kind() == IbFrameKind.STOP && stop == null) {
        stop = PeerReason.decode(frame.body()).text();
        return null;
      }
      return frame;
    } catch (EOFException e) {
      end = "it has closed the connection";
    } catch (SocketException e) {
      end = String.valueOf(e.getMessage());
    } catch (IOException e) {
      // Not reset but given up by the kernel: no probe was answered, or there is no way any more.
      end = e.getMessage() + ", see " + IbVariables.KEEPALIVE_SEC.name();
    } catch (FrameException e) {
      end = "it sent " + e.getMessage();
    }
    return null;
  }

  /** Queues a frame behind those that are not sent yet; see {@link #said}. */
  void say(IbFrameKind kind, ByteBuffer body) {
    frames.say(kind, body);
  }

  /** Reports that this side stops, and why. */
  void stop(NetException why) {
    frames.say(IbFrameKind.STOP, PeerReason.of(why).encode());
  }

  /** Sends queued frames as far as the kernel takes them; returns whether that was all. */
  boolean said() throws IOException {
    return frames.said();
  }

  /** Reports why this side has failed, as far as the kernel takes it at once, and closes. */
  void close(NetException why) throws IOException {
    try (frames) {
      IbFrameKind.fail(frames, PeerReason.of(why));
    }
  }

  void close() throws IOException {
    frames.close();
  }
}
