// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a listener that the kernel gives no connection. That may be the connection's own
 * matter, as in NCCL; or strangers have used up this process's descriptors, and give some back
 * then. Only a failure that lasts is one of the listener.
 *
 * <p>Without a descriptor the kernel refuses before it looks whether a connection waits. The last
 * descriptor may just have gone to the peer, whose connection must not make room for nobody. So the
 * {@link SpareDescriptor} asks first.
 */
public final class AcceptFailures {
  /** The connections of a listener that have not proven themselves. */
  @FunctionalInterface
  public interface Strangers {
    /**
     * Drops some, at least one, those first that are to make room first.
     *
     * @param why the reason
     * @return whether there were any
     */
    boolean makeRoom(String why);
  }

  /** How long accepting may fail before a failure lasts. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ProtocolFamily family;
  private final Strangers strangers;
  private boolean failing;
  private long since;

  /**
   * Begins with none.
   *
   * @param here where the listener listens
   * @param strangers where room can be made
   */
  public AcceptFailures(InetAddress here, Strangers strangers) {
    this.family =
        here instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    this.strangers = strangers;
    SpareDescriptor.keep();
  }

  /** Notes that accepting works. */
  public void over() {
    failing = false;
    SpareDescriptor.keep();
  }

  /**
   * Notes a failure, and makes room where room is missing and a connection waits for it.
   *
   * @param server what gave no connection
   * @param e why
   * @param now the time in nanoseconds
   * @return the connection that waited; null: there is none, or no descriptor for it
   */
  public @Nullable SocketChannel bear(ServerSocketChannel server, IOException e, long now) {
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
    // The stranger that goes now has had all this time for its greeting. Where another listener has
    // used up the spare descriptor, nothing tells whether a connection waits, but one may.
    if (full && (isLasting(now) || !SpareDescriptor.isKept()) && makeRoom(e)) {
      failing = false;
    }
    return null;
  }

  /**
   * Returns whether accepting has failed for longer than a connection's own matter explains, with
   * nobody to make room.
   *
   * @param now the time in nanoseconds
   * @return false where it works, or has not failed for long
   */
  public boolean isLasting(long now) {
    return failing && now - since > PATIENCE_NANOS;
  }

  private boolean makeRoom(IOException e) {
    boolean made = strangers.makeRoom("accept failed: " + e.getMessage());
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
