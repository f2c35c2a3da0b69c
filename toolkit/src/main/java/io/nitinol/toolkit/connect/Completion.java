// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a plugin has to do with proven connections before they are a comm: a TLS handshake, the
 * exchange of what two cards have to know of each other, or nothing but making the object. Driven
 * by one thread at a time.
 *
 * @param <C> the comm that comes of it
 */
public interface Completion<C> {

  /**
   * How a plugin begins.
   *
   * @param <C> the comm that comes of it
   */
  @FunctionalInterface
  interface Beginning<C> {
    /**
     * Takes over connections that have just been proven. Does not wait.
     *
     * @param proven the connections; the plugin's from the return on. When this throws, the caller
     *     closes them
     * @return what is to be done with them
     * @throws IOException when one of them has failed; then as {@link Completion#advance} says
     */
    Completion<C> on(Proven proven) throws IOException;
  }

  /**
   * Returns what is being done.
   *
   * @return a noun for messages, such as {@code TLS handshake}
   */
  String what();

  /**
   * Goes on as far as that is possible without waiting.
   *
   * @return the comm, which owns the connections then; null: not yet, call again
   * @throws IOException when a connection has failed or the peer has said what it may not, after
   *     which {@link #close} is called. A listener drops the connections with a line in the log; a
   *     connecting side begins anew, as after any other failed try, since the listener may have had
   *     no time or room for it
   * @throws io.nitinol.spi.NetException when there is no use in going on, after which {@link
   *     #close} is called: {@link Listener#poll} or {@link Connector#connect} fails with it
   */
  @Nullable C advance() throws IOException;

  /**
   * Gives up, and closes the connections. Not called once {@link #advance} has returned a comm.
   *
   * @throws IOException when closing fails; nothing more is done about it
   */
  void close() throws IOException;

  /**
   * A comm for which nothing more has to be done.
   *
   * @param comm the comm, which has the connections
   * @param closing closes it, should it not be handed out
   * @param <C> what it is
   * @return what hands it out
   */
  static <C> Completion<C> of(C comm, Consumer<C> closing) {
    return new MadeComm<>(comm, closing);
  }
}
