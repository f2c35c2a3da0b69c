// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv5;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An open port, the key of its handle, and those who have connected and not yet said the key. */
final class V5Listener implements ListenComm {
  private static final int BACKLOG = 4096;
  private static final int MAX_VISITORS = 1024; // more wait in the kernel
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

  /** Someone who has connected. */
  private record Visitor(SocketChannel channel, ByteBuffer said, long since) {}

  final SampleV5 plugin;
  private final ServerSocketChannel server;
  private final V5Handle handle;
  private final List<Visitor> visitors = new ArrayList<>();
  private volatile boolean open = true;

  V5Listener(SampleV5 plugin, InetAddress address) {
    this.plugin = plugin;
    try {
      server = ServerSocketChannel.open();
      try {
        server.configureBlocking(false);
        server.bind(new InetSocketAddress(address, 0), BACKLOG);
        InetSocketAddress bound = (InetSocketAddress) server.getLocalAddress();
        SecureRandom random = new SecureRandom();
        handle = new V5Handle(bound, random.nextLong(), random.nextLong());
      } catch (IOException e) {
        server.close();
        throw e;
      }
    } catch (IOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          "cannot listen on " + address + " (see NCCL_SOCKET_IFNAME): " + e.getMessage(),
          e);
    }
  }

  V5Handle handle() {
    return handle;
  }

  boolean isOpen() {
    return open;
  }

  /**
   * Lets everybody who has connected go on, and returns the first who has said the key, or null.
   */
  @Nullable V5Receiver accept() {
    letIn();
    Iterator<Visitor> each = visitors.iterator();
    while (each.hasNext()) {
      Visitor visitor = each.next();
      try {
        boolean gone = visitor.channel().read(visitor.said()) < 0;
        if (!visitor.said().hasRemaining() && handle.knows(visitor.said())) {
          V5Receiver receiver = new V5Receiver(plugin, visitor.channel());
          each.remove();
          return receiver;
        }
        if (gone || !visitor.said().hasRemaining()) {
          turnAway(each, visitor, gone ? "left without the key" : "said a wrong key");
        } else if (System.nanoTime() - visitor.since() > PATIENCE) {
          turnAway(each, visitor, "said no key within 10 s");
        }
      } catch (IOException e) {
        turnAway(each, visitor, "broke off: " + e.getMessage());
      }
    }
    return null;
  }

  private void letIn() {
    try {
      while (visitors.size() < MAX_VISITORS) {
        SocketChannel channel = server.accept();
        if (channel == null) {
          return;
        }
        channel.configureBlocking(false);
        ByteBuffer said = ByteBuffer.allocate(V5Handle.KEY_SIZE);
        visitors.add(new Visitor(channel, said, System.nanoTime()));
      }
    } catch (IOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR, "accepting on " + handle.address() + " failed: " + e, e);
    }
  }

  private void turnAway(Iterator<Visitor> each, Visitor visitor, String why) {
    String who = String.valueOf(visitor.channel().socket().getRemoteSocketAddress());
    plugin.warn("dropped a stranger, " + who + ", who " + why);
    plugin.close(visitor.channel());
    each.remove();
  }

  void close() {
    open = false;
    visitors.forEach(v -> plugin.close(v.channel()));
    visitors.clear();
    plugin.close(server);
  }
}
