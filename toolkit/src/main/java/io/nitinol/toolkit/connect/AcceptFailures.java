// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a listener that the kernel gives no connection. That may be the connection's own
 * matter, as in NCCL; or strangers have used up this process's descriptors, and one of them gives
 * its own back then. Only a failure that lasts is one of the listener.
 *
 * <p>Without a descriptor the kernel refuses before it looks whether a connection waits. The last
 * descriptor may just have gone to the peer, whose connection must not make room for nobody. So the
 * {@link SpareDescriptor} asks first.
 */
final class AcceptFailures {
  /** How long accepting may fail before the listener is lost. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ProtocolFamily family;
  private final Arrivals arrivals;
  private final String listener;
  private boolean failing;
  private long since;

  /**
   * Begins with none.
   *
   * @param listener its name for messages
   */
  AcceptFailures(LocalEnd here, Arrivals arrivals, String listener) {
    this.family =
        here.address() instanceof Inet4Address
            ? StandardProtocolFamily.INET
            : StandardProtocolFamily.INET6;
    this.arrivals = arrivals;
    this.listener = listener;
    SpareDescriptor.keep();
  }

  /** Notes that accepting works. */
  void over() {
    failing = false;
    SpareDescriptor.keep();
  }

  /**
   * Notes a failure, and makes room where room is missing and a connection waits for it.
   *
   * @return the connection that waited; null: there is none, or no descriptor for it
   * @throws NetException SYSTEM_ERROR when accepting has failed for too long
   */
  @Nullable SocketChannel bear(ServerSocketChannel server, IOException e, long now) {
    if (!failing) {
      failing = true;
      since = now;
    }
    boolean full = noneIsToBeHad();
    if (full) {
      try {
        SocketChannel waiting = SpareDescriptor.accept(server);
        failing = false;
        if (waiting != null) {
          makeRoom(e);
        }
        return waiting;
      } catch (IOException none) {
        e.addSuppressed(none);
      }
    }
    if (now - since > PATIENCE_NANOS) {
      if (full && makeRoom(e)) { // of a stranger that has had all this time for its greeting
        failing = false;
        return null;
      }
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          ErrorText.of(
              "%s cannot accept a connection: %s (is the limit of open files reached?)",
              listener, e.getMessage()),
          e);
    }
    return null;
  }

  private boolean makeRoom(IOException e) {
    boolean made = arrivals.dropOldest("accept failed: " + e.getMessage());
    if (made) {
      SpareDescriptor.keep();
    }
    return made;
  }

  /**
   * Returns whether this process gets no socket now. Tried, since Java tells of the cause in words
   * only, and those are in the language of the system.
   */
  private boolean noneIsToBeHad() {
    try (SocketChannel probe = SocketChannel.open(family)) {
      return !probe.isOpen();
    } catch (IOException none) {
      return true;
    }
  }
}
