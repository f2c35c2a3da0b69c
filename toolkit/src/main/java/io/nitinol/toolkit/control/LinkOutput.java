// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.toolkit.thread.OnlyThread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ControlLink} has to write, in this order: its part of the handshake, frames once
 * the link is open, and perhaps the end of the stream.
 */
@OnlyThread("control loop")
final class LinkOutput {
  private static final int WRITE_BYTES = 256 << 10;

  private final Consumer<ByteBuffer> written;
  private final ArrayDeque<ByteBuffer> frames = new ArrayDeque<>();
  private long bytes;
  private @Nullable ByteBuffer handshake;
  private boolean open;
  private boolean finishing;
  private boolean finished;

  /**
   * Begins with nothing.
   *
   * @param written is told of each frame that has left, no sign of life; may close the link
   */
  LinkOutput(Consumer<ByteBuffer> written) {
    this.written = written;
  }

  /** Takes the next part of the handshake, of this connection or of a new one. */
  void shake(ByteBuffer part) {
    handshake = part;
  }

  /** Takes a frame, to be written once the link is open. */
  void add(ByteBuffer frame) {
    frames.add(frame);
    bytes += frame.remaining();
  }

  /** Returns how many bytes of frames wait. */
  long bytes() {
    return bytes;
  }

  /** Returns whether no frame waits. */
  boolean isEmpty() {
    return frames.isEmpty();
  }

  /** Lets frames leave from now on. */
  void open() {
    open = true;
  }

  /** Ends the stream behind the frames that wait. */
  void finish() {
    finishing = true;
  }

  /** Returns whether {@link #finish} was called. */
  boolean isFinishing() {
    return finishing;
  }

  /** Throws away what waits, since the link has ended. */
  void close() {
    open = false;
    frames.clear();
  }

  /**
   * Writes as much as the connection takes.
   *
   * @return whether that was all
   */
  boolean flush(SocketChannel to) throws IOException {
    boolean all = true;
    if (handshake != null) {
      to.write(handshake);
      all = !handshake.hasRemaining();
      if (all) {
        handshake = null;
      }
    }
    while (all && open && !frames.isEmpty()) {
      ByteBuffer frame = frames.getFirst();
      int before = frame.remaining();
      all = write(to, frame);
      bytes -= before - frame.remaining();
      if (!frame.hasRemaining()) {
        frames.removeFirst();
        if (frame.limit() > FrameReader.PREFIX) {
          written.accept(frame);
        }
      }
    }
    if (all && open && finishing && !finished) {
      finished = true;
      to.shutdownOutput();
    }
    return all;
  }

  /** Writes a bounded piece at a time, since the JDK keeps a direct copy of each piece's size. */
  private static boolean write(SocketChannel to, ByteBuffer frame) throws IOException {
    int end = frame.limit();
    while (frame.hasRemaining()) {
      int piece = Math.min(end - frame.position(), WRITE_BYTES);
      frame.limit(frame.position() + piece);
      int written = to.write(frame);
      frame.limit(end);
      if (written < piece) {
        return false;
      }
    }
    return true;
  }
}
