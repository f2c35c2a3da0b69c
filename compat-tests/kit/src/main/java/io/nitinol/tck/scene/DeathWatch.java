// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.NetSession;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Watches the operations that a test had under way with a peer that is dead now. Within the bound
 * PEER each has to end, in an error that names the peer or, where that is possible, in completion.
 */
public final class DeathWatch {
  /** One operation under way. */
  private static final class Part {
    final String stage;
    final BooleanSupplier poll;
    boolean ended;

    Part(String stage, BooleanSupplier poll) {
      this.stage = stage;
      this.poll = poll;
    }
  }

  private final NetSession session;
  private final List<Part> parts = new ArrayList<>();

  public DeathWatch(NetSession session) {
    this.session = session;
  }

  /**
   * Adds an operation under way.
   *
   * @param stage how far it was when the peer ended, for the report
   * @param poll drives it on; returns whether it has ended well, or fails
   */
  public void add(String stage, BooleanSupplier poll) {
    parts.add(new Part(stage, poll));
  }

  /** Drives all parts once; returns whether all have ended. */
  public boolean drive() {
    boolean all = true;
    for (Part part : parts) {
      part.ended = part.ended || ends(part);
      all &= part.ended;
    }
    return all;
  }

  /** Drives all parts until they have ended, from now on for the bound PEER. */
  public void check() {
    NetSession.within(session.patient(SpecBounds.PEER), this::drive);
    List<String> hanging =
        parts.stream().filter(part -> !part.ended).map(part -> part.stage).toList();
    if (!hanging.isEmpty()) {
      session.terms().patience().disappointed();
    }
    session.check(
        hanging.isEmpty(),
        "%d s after the peer's process had ended there was no error from: %s",
        TimeUnit.NANOSECONDS.toSeconds(session.patient(SpecBounds.PEER)),
        String.join("; ", hanging));
  }

  private boolean ends(Part part) {
    try {
      return part.poll.getAsBoolean();
    } catch (NetException e) {
      session.code(session.terms().rule(), part.stage, e, ResultCode.REMOTE_ERROR);
      return true;
    } catch (RuleViolation e) {
      throw e;
    } catch (RuntimeException e) {
      throw new RuleViolation("NET-ERR-01", part.stage + " threw " + e, e);
    }
  }
}
