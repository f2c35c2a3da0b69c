// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.device.DeviceSession;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A second process with the same device provider, which obeys the test. It is killed when the
 * session ends, unless it was {@link #release}d or killed before. Driven by one thread.
 */
public final class DevicePeer {
  /** A busy machine starts a JVM slowly, and a driver takes its time as well. */
  private static final long ANSWER_SECONDS = 45;

  private final DeviceSession session;
  private final PeerProcess process;
  private boolean ended;

  private DevicePeer(DeviceSession session, PeerProcess process) {
    this.session = session;
    this.process = process;
  }

  /** Starts a peer, or takes one that an earlier test left. */
  public static DevicePeer start(DeviceSession session) {
    DevicePeer peer =
        new DevicePeer(
            session, PeerStock.take(session.plugin(), session.lane(), session.terms().patience()));
    session.atEnd(peer::kill);
    return peer;
  }

  /** Returns what its devices say they are. */
  public List<String> uuids() {
    return List.of(answer("DEV-04", "uuids").split(" ", -1));
  }

  /** Allocates memory of a device there, which is called by this name from now on. */
  public void allocate(String id, int device, long size) {
    answer("DEVMEM-01", "allocate", id, device, size);
  }

  /** Exports a piece of memory there and returns the handle. */
  public byte[] export(String id, long offset, long size) {
    return HexFormat.of().parseHex(answer("DEVMEM-09", "export", id, offset, size));
  }

  /** Imports memory there, under this name, and returns its size. */
  public long importMemory(String id, int device, byte[] handle) {
    return Long.parseLong(
        answer("DEVMEM-09", "import", id, device, HexFormat.of().formatHex(handle)));
  }

  /** Tries to import memory there, and returns the failure; null if there is none. */
  public @Nullable DeviceFailure refusal(int device, byte[] handle) {
    String said = said(ask("import", "refused", device, HexFormat.of().formatHex(handle)));
    if (said.startsWith("refused ")) {
      return DeviceFailure.valueOf(said.split(" ", 3)[1]);
    }
    if (said.startsWith("ok")) {
      return null;
    }
    throw session.broken("in the other process, importMemory " + said);
  }

  /** Closes memory there. */
  public void close(String id) {
    answer("DEVMEM-12", "close", id);
  }

  /** Writes bytes into memory there, by its device. */
  public void write(String id, long offset, byte[] bytes) {
    answer("DEVMEM-09", "write", id, offset, HexFormat.of().formatHex(bytes));
  }

  /** Reads bytes from memory there, by its device. */
  public byte[] read(String id, long offset, int size) {
    return HexFormat.of().parseHex(answer("DEVMEM-09", "read", id, offset, size));
  }

  /** Begins a call there; {@link #done} waits for it. */
  public CompletableFuture<String> begin(Object... words) {
    return ask(words);
  }

  /**
   * Waits for a call.
   *
   * @param rule the rule that is broken when it failed
   * @return the words of its answer
   */
  public String done(String rule, String what, CompletableFuture<String> call) {
    String said = said(call);
    if (said.startsWith("ok")) {
      return said.substring(2).strip();
    }
    if (said.startsWith("broken ")) {
      String[] words = said.split(" ", 3);
      throw new RuleViolation(words[1], "in the other process, " + words[2]);
    }
    if (said.startsWith("threw ")) {
      throw new RuleViolation("DEV-12", "in the other process, " + what + " " + said);
    }
    throw new RuleViolation(rule, "in the other process, " + what + " failed: " + said);
  }

  /** Kills the process as the system does it, and waits until it is gone. */
  public void kill() {
    if (!ended) {
      ended = true;
      PeerStock.end(process);
    }
  }

  /** Returns the peer after a test without errors: a later test may use it. */
  public void release() {
    if (!ended) {
      answer("DEV-14", "reset");
      ended = true;
      PeerStock.give(process);
    }
  }

  private String answer(String rule, Object... words) {
    return done(rule, String.valueOf(words[0]), ask(words));
  }

  private CompletableFuture<String> ask(Object... words) {
    String ready = said(process.ready());
    if (!ready.startsWith("ok")) {
      throw new RuleViolation(
          "DEV-04", "the provider cannot be started in another process: " + ready);
    }
    StringBuilder command = new StringBuilder();
    for (Object word : words) {
      command.append(command.isEmpty() ? "" : " ").append(word);
    }
    return process.ask(command.toString());
  }

  private String said(CompletableFuture<String> call) {
    long seconds = session.terms().patience().scaled(ANSWER_SECONDS);
    try {
      return call.get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw PeerSilence.judge(
          process,
          session.terms().rule(),
          "the other process has not answered within " + seconds + " s: " + process.describe());
    } catch (ExecutionException e) {
      throw new RuleViolation(session.terms().rule(), String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the test was interrupted", e);
    }
  }
}
