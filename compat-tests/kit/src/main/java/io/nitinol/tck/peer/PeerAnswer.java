// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.peer;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.Session;
import io.nitinol.toolkit.ErrorText;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * The answer of a peer to a command, once it has executed it. Meanwhile the test can drive its own
 * side.
 */
public final class PeerAnswer<T> {
  /** Begins an answer about a call that the command is not named after: its rule, and its name. */
  static final String CALL_FAILED = "failed";

  private final Session session;
  private final PeerProcess process;
  private final CompletableFuture<String> line;
  private final String rule;
  private final String what;
  private final long nanos;
  private final Function<String, T> meaning;

  PeerAnswer(
      Session session,
      PeerProcess process,
      CompletableFuture<String> line,
      String rule,
      String what,
      long nanos,
      Function<String, T> meaning) {
    this.session = session;
    this.process = process;
    this.line = line;
    this.rule = rule;
    this.what = what;
    this.nanos = session.terms().patience().scaled(nanos);
    this.meaning = meaning;
  }

  /** Returns whether the peer has answered or has ended. */
  public boolean isDone() {
    return line.isDone();
  }

  /**
   * Waits for the answer, for as long as the peer may take, and judges it as a step of the test.
   *
   * @throws RuleViolation when the plugin failed or hangs there, or the process has ended
   */
  public T get() {
    String text = session.step(rule, "in the peer process, " + what, this::await);
    String[] words = text.split(" ", 4);
    boolean failed = words[0].equals(CALL_FAILED);
    return session.step(
        failed ? words[1] : rule,
        "in the peer process, " + (failed ? words[2] : what),
        () -> read(text));
  }

  /**
   * Waits for the answer as {@link #get} does, but does not judge it.
   *
   * @throws NetException when the plugin threw one there
   * @throws RuleViolation when it failed in another way or hangs, or the process has ended
   */
  public T outcome() {
    return read(await());
  }

  private T read(String text) {
    String[] words = text.split(" ", 3);
    String rest = words.length > 2 ? words[2] : "";
    return switch (words[0]) {
      case "ok" -> meaning.apply(text.substring("ok".length()).strip());
      case "fail" -> throw new NetException(ResultCode.valueOf(words[1]), rest);
      case CALL_FAILED -> read("fail " + text.split(" ", 4)[3]);
      case "broken" -> throw new RuleViolation(words[1], "in the peer process, " + rest);
      default -> throw new RuleViolation("NET-ERR-01", "in the peer process, " + what + " " + text);
    };
  }

  private String await() {
    try {
      return line.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw PeerSilence.judge(
          process,
          rule,
          ErrorText.of(
              "in the peer process, %s has not ended after %s ms",
              what, TimeUnit.NANOSECONDS.toMillis(nanos)));
    } catch (ExecutionException e) {
      if (process.isToldToEnd()) {
        throw new Inconclusive(what + ": " + process.describe(), e);
      }
      throw new RuleViolation(
          rule, what + ": " + Objects.requireNonNullElse(e.getCause(), e).getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the test was interrupted", e);
    }
  }
}
