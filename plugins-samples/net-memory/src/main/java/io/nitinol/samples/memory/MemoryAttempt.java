// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.NetException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection under way, as the connector sees it: an offer in the listener's directory. */
final class MemoryAttempt {
  private static final long GRACE = TimeUnit.SECONDS.toNanos(2);

  private final Host host;
  private final MemoryListenHandle target;
  private final Path offer;
  private final MemoryLink link;
  private final MemoryPeer peer;
  private final long deadline;
  private boolean over;

  private MemoryAttempt(
      Host host,
      MemoryListenHandle target,
      Path offer,
      MemoryLink link,
      MemoryPeer peer,
      long deadline) {
    this.host = host;
    this.target = target;
    this.offer = offer;
    this.link = link;
    this.peer = peer;
    this.deadline = deadline;
  }

  /** Leaves an offer; fails where no listener can find it (NET-CONN-14). */
  static MemoryAttempt start(
      Host host, String device, MemoryListenHandle target, long number, long deadline) {
    if (target.process().space() != host.self.space()) {
      throw MemoryFailures.remote(
          target + " is in a process namespace where its end would go unnoticed");
    }
    MemoryPeer peer = null;
    MemoryLink link = null;
    String name = HexFormat.of().toHexDigits(number);
    Path directory = target.directory();
    Path draft = directory.resolve("draft-" + name);
    Path offer = directory.resolve(MemoryListener.OFFER + name);
    try {
      peer = MemoryPeer.of(host, target.process(), device);
      if (peer.hasEnded()) {
        throw new NoSuchFileException(target.process().statFile());
      }
      link = MemoryLink.create(draft, host.self, target.secret());
      Files.move(draft, offer, StandardCopyOption.ATOMIC_MOVE); // only now the listener sees it
      return new MemoryAttempt(host, target, offer, link, peer, deadline);
    } catch (IOException e) {
      if (link != null) {
        link.close();
        delete(host, draft);
      }
      if (peer != null) {
        peer.close();
      }
      if (e instanceof NoSuchFileException) {
        throw gone(target);
      }
      throw MemoryFailures.system("cannot leave an offer at " + directory, e);
    }
  }

  /**
   * Goes as far as possible without waiting. Another thread may end the attempt meanwhile, if it is
   * overdue.
   *
   * @return the comm, which has taken over all that the attempt held; null: not yet
   */
  synchronized @Nullable MemorySender advance(Object plugin, long now) {
    if (over || now - deadline >= 0) {
      throw MemoryFailures.timeout(target + " has not accepted in time");
    }
    // Asked first: an offer that is gone although nobody has taken it was dropped.
    boolean there = Files.exists(offer);
    if (peer.hasEnded()) {
      throw gone(target);
    }
    if (link.advance(MemoryLink.ACCEPTED, MemoryLink.ESTABLISHED)) {
      over = true;
      return new MemorySender(plugin, link, peer);
    }
    if (link.state() == MemoryLink.REFUSED || !there) {
      throw gone(target);
    }
    return null;
  }

  /** Returns whether it is overdue and its caller would have learned that, had it called. */
  boolean isAbandoned(long now) {
    return now - deadline >= GRACE;
  }

  /** Gives up and frees what the attempt holds (NET-CONN-16, NET-CONN-19). */
  synchronized void abandon() {
    if (over) {
      return;
    }
    over = true;
    link.withdraw();
    link.close();
    peer.close();
    delete(host, offer);
  }

  private static NetException gone(MemoryListenHandle target) {
    return MemoryFailures.remote(target + " has been closed, or its process has ended");
  }

  private static void delete(Host host, Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      host.warn("could not remove " + file + ": " + e);
    }
  }
}
