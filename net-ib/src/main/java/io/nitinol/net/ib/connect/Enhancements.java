// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.verbs.Ece;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the cards of both sides can do beyond the standard, agreed for each queue pair; NCCL's
 * {@code ncclIbQpInfo.ece}. The sending side offers what its card can, the accepting side sets that
 * before RTR and answers with what its card has left of it, which the sending side sets before RTR.
 * Where a card, library or side has none of it, the connection does without.
 */
final class Enhancements {
  /** The queue pairs of this side. */
  interface Pairs {
    /** Returns what a queue pair can do; null: its card or library has nothing of the kind. */
    @Nullable Ece query(int lane);

    /** Sets what it is to do; returns whether the card took it. */
    boolean set(int lane, Ece ece);
  }

  private final boolean enabled;
  private final boolean accepting;
  private final Pairs pairs;
  private final List<Ece> said;

  /** Begins with nothing said. */
  Enhancements(boolean enabled, boolean accepting, int lanes, Pairs pairs) {
    this.enabled = enabled;
    this.accepting = accepting;
    this.pairs = pairs;
    this.said = new ArrayList<>(Collections.nCopies(lanes, Ece.NONE));
  }

  /** A queue pair has been made. */
  void made(int lane) {
    if (enabled && !accepting) {
      said.set(lane, orNone(pairs.query(lane)));
    }
  }

  /**
   * A queue pair is about to be connected.
   *
   * @param heard what the peer has said
   * @throws NetException SYSTEM_ERROR where the card does not take what it has offered itself
   */
  void connecting(int lane, Ece heard, String label) {
    if (!enabled || heard.equals(Ece.NONE)) {
      return;
    }
    if (accepting) {
      said.set(lane, pairs.set(lane, heard) ? heard : Ece.NONE);
    } else if (!said.get(lane).equals(Ece.NONE) && !pairs.set(lane, heard)) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          ErrorText.of(
              "%s: the card does not take %s, which is what the peer's has left of what it offered;"
                  + " NCCL_IB_ECE_ENABLE=0 does without",
              label, heard));
    }
  }

  /** A queue pair has been connected. */
  void connected(int lane) {
    if (accepting && !said.get(lane).equals(Ece.NONE)) {
      said.set(lane, orNone(pairs.query(lane)));
    }
  }

  /** Returns what to tell the peer, one for each queue pair. */
  List<Ece> said() {
    return List.copyOf(said);
  }

  private static Ece orNone(@Nullable Ece ece) {
    return ece == null ? Ece.NONE : ece;
  }
}
