// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.live;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import io.nitinol.toolkit.thread.OnlyThread;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Answers {@code nitinol top}, from one daemon thread that rests until it is asked. Its socket lies
 * in a directory that no other user can enter. A client gets two seconds from the last byte that it
 * sent or took, and one that comes while there are {@value #MOST_CLIENTS} takes the place of the
 * oldest.
 */
@AnyThread
public final class LiveServer implements AutoCloseable {
  static final int MOST_CLIENTS = 16;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long JOIN_MILLIS = 1000;

  private final Path path;
  private final ServerSocketChannel listener;
  private final Selector selector;
  private final Function<LiveRequest, String> answers;
  private final DebugLogger logger;
  private final Deque<LiveConversation> clients = new ArrayDeque<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread thread;

  private LiveServer(
      Path path,
      ServerSocketChannel listener,
      Selector selector,
      Function<LiveRequest, String> answers,
      DebugLogger logger) {
    this.path = path;
    this.listener = listener;
    this.selector = selector;
    this.answers = answers;
    this.logger = logger;
    // The thread may outlive the communicator that made it, and is to keep nothing of its world.
    this.thread =
        Thread.ofPlatform()
            .daemon()
            .inheritInheritableThreadLocals(false)
            .name("nitinol-top")
            .unstarted(this::serve);
    thread.setContextClassLoader(LiveServer.class.getClassLoader());
  }

  /**
   * Opens the socket and starts the thread.
   *
   * @param number the process's, which the ranks of its communicators know
   * @param answers gives the answer to a request, called by the thread; must not wait
   * @throws IOException with the reason, where there can be no socket
   */
  public static LiveServer open(
      LiveDirectory directory,
      long number,
      Function<LiveRequest, String> answers,
      DebugLogger logger)
      throws IOException {
    return directory.socket(number, path -> open(path, answers, logger));
  }

  private static LiveServer open(
      Path path, Function<LiveRequest, String> answers, DebugLogger logger) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      Files.deleteIfExists(path); // of this very process, if one was not closed
      listener.bind(UnixDomainSocketAddress.of(path), MOST_CLIENTS);
      listener.configureBlocking(false);
      Selector selector = Selector.open();
      try {
        listener.register(selector, SelectionKey.OP_ACCEPT);
        LiveServer server = new LiveServer(path, listener, selector, answers, logger);
        server.thread.start();
        return server;
      } catch (IOException | OutOfMemoryError e) { // the system allows no more threads
        selector.close();
        throw e instanceof IOException io ? io : new IOException(e.getMessage(), e);
      }
    } catch (IOException | RuntimeException e) { // of a name that is too long, too
      listener.close();
      Files.deleteIfExists(path);
      throw new IOException(ErrorText.of("%s: %s", path, ErrorText.reason(e)), e);
    }
  }

  private void serve() {
    try {
      while (selector.isOpen()) {
        await();
        turn();
      }
    } catch (Throwable e) { // also an OutOfMemoryError: this thread is of less worth than the job
      if (!closed.get()) { // else the process has no communicators any more
        logger.info(
            LogSubsystem.RAS, "LiveServer", ErrorText.of("nitinol top is not answered: %s", e));
      }
    } finally {
      clients.forEach(LiveConversation::close);
      closeAll();
    }
  }

  /** Waits until there is something to do: for ever where no client is there. */
  private void await() throws IOException {
    if (clients.isEmpty()) {
      selector.select();
    } else {
      long longest = 0;
      long now = System.nanoTime();
      for (LiveConversation client : clients) {
        longest = Math.max(longest, now - client.moved());
      }
      long left = PATIENCE_NANOS - longest;
      selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
    }
  }

  @OnlyThread("nitinol-top")
  private void turn() {
    for (SelectionKey key : selector.selectedKeys()) {
      if (key.attachment() instanceof LiveConversation client) {
        client.goOn(key, answers);
      } else {
        accept();
      }
    }
    selector.selectedKeys().clear();
    long now = System.nanoTime();
    clients.removeIf(client -> {
      if (client.isOpen() && now - client.moved() > PATIENCE_NANOS) {
        client.close();
      }
      return !client.isOpen();
    });
  }

  private void accept() {
    try {
      SocketChannel accepted = listener.accept();
      if (accepted != null) {
        if (clients.size() == MOST_CLIENTS) {
          clients.removeFirst().close();
        }
        clients.addLast(LiveConversation.begin(accepted, selector));
      }
    } catch (ClosedChannelException e) {
      // this server is closed, which the next look at the selector tells
    } catch (IOException e) {
      LockSupport.parkNanos(RETRY_NANOS); // descriptors are short: the client waits still
    }
  }

  /** Returns whether clients are answered. */
  public boolean isOpen() {
    return !closed.get();
  }

  /** Closes the socket and ends the thread. */
  @Override
  public void close() {
    closeAll();
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeAll() {
    if (!closed.compareAndSet(false, true)) {
      return; // another server of this process may have the path by now
    }
    try (selector;
        listener) {
      Files.deleteIfExists(path); // while it is known to be this process's
    } catch (IOException e) {
      logger.info(
          LogSubsystem.RAS,
          "LiveServer",
          ErrorText.of("%s is not removed: %s", path, ErrorText.reason(e)));
    }
  }
}
