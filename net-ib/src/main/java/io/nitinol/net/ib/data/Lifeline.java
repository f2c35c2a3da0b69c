// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.config.IbVariables;
import io.nitinol.net.ib.frames.Frames;
import io.nitinol.net.ib.frames.Frames.Frame;
import io.nitinol.net.ib.frames.Frames.Kind;
import io.nitinol.net.ib.frames.MetadataException;
import io.nitinol.net.ib.frames.Reason;
import io.nitinol.spi.NetException;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/**
 * The TCP connection by which a comm came about, kept open to notice the end of the peer: RDMA
 * itself is silent to who waits, and to who sends it takes the retries of {@code NCCL_IB_TIMEOUT}
 * and {@code NCCL_IB_RETRY_CNT}. All that is said on it any more is why a side has failed. Used by
 * one thread at a time.
 */
final class Lifeline {
  private final Frames frames;
  private @Nullable String end;

  /** Takes over the connection. */
  Lifeline(Frames frames) {
    this.frames = frames;
  }

  /** Returns why the peer is gone, the same from then on, or null while it is there. */
  @Nullable String look() {
    if (end == null) {
      end = hear();
    }
    return end;
  }

  private @Nullable String hear() {
    try {
      Frame frame = frames.hear();
      if (frame == null) {
        return null;
      }
      if (frame.kind() != Kind.FAILURE) {
        return "it sent a frame of kind " + frame.kind() + ", expected " + Kind.FAILURE;
      }
      return "it says: " + Reason.decode(frame.body()).text();
    } catch (EOFException e) {
      return "it has closed the connection";
    } catch (SocketException e) {
      return String.valueOf(e.getMessage());
    } catch (IOException e) {
      // Not reset but given up by the kernel: no probe was answered, or there is no way any more.
      return e.getMessage() + ", see " + IbVariables.KEEPALIVE_SEC.name();
    } catch (MetadataException e) {
      return "it sent " + e.getMessage();
    }
  }

  /** Says why this side has failed, as far as the kernel takes it at once, and closes. */
  void close(NetException why) throws IOException {
    try (frames) {
      frames.fail(why.result(), String.valueOf(why.getMessage()));
    }
  }

  void close() throws IOException {
    frames.close();
  }
}
