// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.net.ListenComm;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Accepts connections: connectors leave their offers in a directory of its own. Accepting takes two
 * steps, so that only a connector that has not given up becomes a comm: the listener takes the
 * offer, and the connector says once more that it is there.
 */
final class MemoryListener implements ListenComm {
  /** What the names of offers begin with; anything else in the directory is not ready. */
  static final String OFFER = "offer-";

  final Object plugin;
  final MemoryListenHandle handle;
  final ListenDirectory directory;
  private final Host host;
  private final String device;
  private final List<HalfAccepted> half = new ArrayList<>();
  private boolean open = true;

  private record HalfAccepted(MemoryLink link, MemoryPeer peer) {}

  private MemoryListener(
      Object plugin,
      Host host,
      String device,
      MemoryListenHandle handle,
      ListenDirectory directory) {
    this.plugin = plugin;
    this.host = host;
    this.device = device;
    this.handle = handle;
    this.directory = directory;
  }

  /** Opens a listener and writes its handle. */
  static MemoryListener open(Object plugin, Host host, String device, MemorySegment buffer) {
    MemoryListenHandle handle = MemoryListenHandle.create(host);
    handle.writeTo(buffer); // first: if that goes wrong, there is nothing to undo
    try {
      return new MemoryListener(plugin, host, device, handle, ListenDirectory.create(handle));
    } catch (IOException e) {
      throw MemoryFailures.system("cannot make the directory " + handle.directory(), e);
    }
  }

  boolean isOpen() {
    return open;
  }

  /** Takes all offers that have come, and answers with one connection that both sides have. */
  @Nullable MemoryReceiver accept() {
    try {
      for (Path offer : directory.list(OFFER)) {
        if (Files.isRegularFile(offer, LinkOption.NOFOLLOW_LINKS)) {
          take(offer); // nothing else is a connector's, and opening a pipe might wait
        }
      }
    } catch (IOException e) {
      throw MemoryFailures.system("cannot read " + directory.path, e);
    }
    for (Iterator<HalfAccepted> each = half.iterator(); each.hasNext(); ) {
      HalfAccepted one = each.next();
      if (one.link.state() == MemoryLink.ESTABLISHED) {
        each.remove();
        return new MemoryReceiver(plugin, one.link, one.peer);
      }
      if (one.link.state() == MemoryLink.WITHDRAWN || one.peer.hasEnded()) {
        each.remove();
        drop(one);
      }
    }
    return null;
  }

  private void take(Path offer) throws IOException {
    MemoryLink link;
    try {
      link = MemoryLink.open(offer);
    } catch (NoSuchFileException e) {
      return; // withdrawn just now
    } catch (MappedFile.WrongSizeException e) {
      Files.deleteIfExists(offer);
      host.warn("dropped what no connector left: " + e.getMessage()); // NET-CONN-13
      return;
    }
    if (!link.knows(handle.secret())) {
      link.close();
      Files.deleteIfExists(offer);
      host.warn("dropped " + offer + ", whose maker does not know the handle"); // NET-CONN-13
      return;
    }
    HalfAccepted one;
    try {
      one = new HalfAccepted(link, MemoryPeer.of(host, link.connector(), device));
    } catch (IOException e) {
      link.close();
      throw e; // no descriptors left; the offer stays
    }
    // In this order: an offer whose file has gone while nobody has taken it was dropped.
    boolean taken = link.advance(MemoryLink.OFFERED, MemoryLink.ACCEPTED);
    Files.deleteIfExists(offer);
    if (taken) {
      half.add(one);
    } else {
      drop(one);
    }
  }

  private void drop(HalfAccepted one) {
    one.link.close();
    one.peer.close();
    host.warn("dropped a connection that " + one.peer + " has given up");
  }

  /** Ends it with all that is half accepted (NET-CLOSE-07). */
  void close() {
    open = false;
    for (HalfAccepted one : half) {
      if (!one.link.advance(MemoryLink.ACCEPTED, MemoryLink.REFUSED)) {
        one.link.receiverGoes(); // the connector already has its comm, or has gone itself
      }
      one.link.close();
      one.peer.close();
    }
    half.clear();
    try {
      directory.remove();
    } catch (IOException e) {
      throw MemoryFailures.system("cannot remove " + directory.path, e);
    }
  }
}
