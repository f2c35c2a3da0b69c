// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.net;

import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Request;
import io.nitinol.toolkit.thread.OneThread;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Moves messages both ways between two ranks over a network plugin. The messages lie in registered
 * memory of the caller's, and nothing is copied between that memory and the plugin. The connectors
 * are of {@code Use.DIRECT}. No other class moves messages over them; their maker closes them after
 * {@link #close}.
 */
@OneThread
public interface DirectLink extends AutoCloseable {
  /**
   * Registers memory for the two directions.
   *
   * @param send the connection to the peer
   * @param receive the one from there
   * @param memory where messages lie; the caller's, and alive until {@link #close}
   * @param most the bytes of the longest message
   * @return null where the connections are of another transport, a device of the plugin takes only
   *     shorter messages ({@code maxP2pBytes}), or the plugin wants to hear when a message was used
   *     ({@code irecvConsumed}); the other rank may have another answer
   * @throws NetException where the plugin does not register the memory
   */
  static @Nullable DirectLink of(
      SendConnector send, ReceiveConnector receive, MemorySegment memory, long most) {
    return NetDirectLink.of(send, receive, memory, most);
  }

  /**
   * Starts to send a message of {@code length} bytes.
   *
   * @param memory where it lies; registered when it comes for the first time, and alive until
   *     {@link #close}
   * @param offset the first byte in the memory
   * @return null where the plugin has no room now
   * @throws NetException where the connection has failed, or the plugin does not register the
   *     memory
   */
  @Nullable Request send(MemorySegment memory, long offset, long length);

  /** Starts to receive a message of at most {@code length} bytes, as {@link #send}. */
  @Nullable Request receive(MemorySegment memory, long offset, long length);

  /**
   * Returns how many bytes a message has that is sent or received, or -1 while it is under way. A
   * request whose size was returned is dead: the plugin may give the same object out again.
   *
   * @param sends whether it is one of {@link #send}
   * @throws NetException where the connection has failed
   */
  int test(Request request, boolean sends);

  /** Undoes the registrations. Messages may be under way only when the connections close next. */
  @Override
  void close();
}
