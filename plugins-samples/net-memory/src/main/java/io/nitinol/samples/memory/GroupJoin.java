// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.NetException;
import io.nitinol.toolkit.PeerProof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes a group, on one member: the first member puts a file into the directory of its listener,
 * the others wait for it to be there, and all wait until all have joined. Bounded, and ended by
 * whatever makes it impossible (COLL-03, COLL-04).
 */
final class GroupJoin {
  /** Half the CONNECT bound: on one host no peer needs as long. */
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(30);

  private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(200);

  private final Object plugin;
  private final Host host;
  private final String device;
  private final MemoryListenHandle[] handles;
  private final int rank;
  private final byte[] digest;
  private final Path file;
  private final List<MemoryPeer> peers = new ArrayList<>();
  private final long deadline = System.nanoTime() + LIMIT;
  private @Nullable MemoryGroup group;

  /** Prepares to join; {@code handles} is one for each member. */
  GroupJoin(Object plugin, Host host, String device, MemoryListenHandle[] handles, int rank) {
    this.plugin = plugin;
    this.host = host;
    this.device = device;
    this.handles = handles;
    this.rank = rank;
    this.digest = digest(handles);
    this.file = handles[0].directory().resolve("group");
  }

  private static byte[] digest(MemoryListenHandle[] handles) {
    byte[][] secrets = new byte[handles.length][];
    for (int i = 0; i < handles.length; i++) {
      secrets[i] = handles[i].secret();
    }
    return PeerProof.hmac(handles[0].secret(), secrets);
  }

  /** Joins; what the join has taken is the member's, or freed when it fails. */
  MemoryMember join() {
    for (MemoryListenHandle handle : handles) {
      if (handle.process().space() != host.self.space()) {
        throw MemoryFailures.usage(
            handle + " is in a process namespace where its end goes unnoticed");
      }
    }
    try {
      for (MemoryListenHandle handle : handles) {
        peers.add(MemoryPeer.of(host, handle.process(), device));
      }
      MemoryGroup joined = rank == 0 ? create() : open();
      group = joined;
      if (!joined.isFor(digest)) {
        joined.refuse();
        throw disagreement();
      }
      joined.join(rank);
      awaitAll(joined);
      if (rank == 0) {
        Files.delete(file); // all have it open
      }
      return new MemoryMember(plugin, joined, rank, peers.toArray(MemoryPeer[]::new));
    } catch (IOException e) {
      abandon();
      throw MemoryFailures.system("cannot make or join the group at " + file, e);
    } catch (NetException e) {
      abandon();
      throw e;
    }
  }

  private MemoryGroup create() throws IOException {
    Path draft = file.resolveSibling("draft");
    MemoryGroup made = MemoryGroup.create(draft, handles.length, digest);
    try {
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
      return made;
    } catch (IOException e) {
      made.close();
      throw e;
    }
  }

  private MemoryGroup open() throws IOException {
    while (!Files.exists(file)) {
      if (!isPossible(0)) {
        throw gone(0);
      }
      pause("the group's first member, " + handles[0]);
    }
    try {
      return MemoryGroup.open(file, handles.length);
    } catch (NoSuchFileException e) {
      throw gone(0);
    } catch (MappedFile.WrongSizeException e) {
      MemoryGroup.refuse(file);
      throw disagreement();
    }
  }

  private void awaitAll(MemoryGroup joined) {
    int come;
    do {
      if (joined.isRefused()) {
        throw disagreement();
      }
      come = 0;
      for (int member = 0; member < handles.length; member++) {
        if (!joined.hasCome(member) && !isPossible(member) && !joined.hasCome(member)) {
          throw gone(member); // asked twice: it may have joined and closed its listener between
        }
        if (joined.hasLeft(member)) {
          throw MemoryFailures.remote(
              "member " + member + " has left before the group was complete");
        }
        if (joined.hasCome(member)) {
          come++;
        }
      }
      if (come < handles.length) {
        pause(
            "the group of %s members at %s, of which there are %s"
                .formatted(handles.length, file, come));
      }
    } while (come < handles.length);
  }

  /** Returns whether a member that has not joined may still do so. */
  private boolean isPossible(int member) {
    return !peers.get(member).hasEnded() && Files.isDirectory(handles[member].directory());
  }

  private NetException gone(int member) {
    return MemoryFailures.remote(
        "member %s cannot join: %s is closed, or the process ended"
            .formatted(member, handles[member]));
  }

  private static NetException disagreement() {
    return MemoryFailures.usage(
        "the members do not agree about the group: number, order or handles");
  }

  private void pause(String what) {
    if (System.nanoTime() - deadline >= 0) {
      throw MemoryFailures.timeout("waited too long for " + what);
    }
    LockSupport.parkNanos(this, PAUSE);
  }

  /**
   * Frees what has been taken. The first member leaves the file where it is, so that others need
   * not wait to learn that it has left: it goes when the listener is closed.
   */
  private void abandon() {
    if (group != null) {
      group.leave(rank);
      group.close();
    }
    for (MemoryPeer peer : peers) {
      peer.close();
    }
  }
}
