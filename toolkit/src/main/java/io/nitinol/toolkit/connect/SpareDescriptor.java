// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.toolkit.thread.AnyThread;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * One descriptor of this process that stands for nothing, so that a listener can still accept one
 * connection when all others are used up. It is an open {@code /dev/null}, which the garbage
 * collector closes with the plugin's classes.
 */
@AnyThread
final class SpareDescriptor {
  private static volatile @Nullable FileInputStream held; // written with the class locked

  private SpareDescriptor() {}

  static boolean isKept() {
    return held != null;
  }

  /** Takes the descriptor if it is not held and there is one. */
  static void keep() {
    if (held == null) {
      take();
    }
  }

  private static synchronized void take() {
    try {
      held = held == null ? new FileInputStream("/dev/null") : held;
    } catch (IOException none) {
      held = null; // a listener without it reports its failures all the same
    }
  }

  /**
   * Accepts a connection with the descriptor. It is held again afterwards if none waited; if one
   * did, the caller makes room and calls {@link #keep}.
   *
   * @return the connection; null: none waits
   * @throws IOException when the descriptor is not held, or another thread was faster
   */
  static synchronized @Nullable SocketChannel accept(ServerSocketChannel server)
      throws IOException {
    FileInputStream spare = held;
    if (spare == null) {
      throw new IOException("the spare descriptor is used up too");
    }
    spare.close();
    held = null;
    SocketChannel waiting = null;
    try {
      waiting = server.accept();
    } finally {
      if (waiting == null) {
        keep();
      }
    }
    return waiting;
  }
}
