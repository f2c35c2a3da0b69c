// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.tuner;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import io.nitinol.net.nativeabi.ffi.TunerLayout;
import io.nitinol.net.nativeabi.plugin.GuardedMemory;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.spi.tuner.v1.CostTable;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * NCCL's {@code collCostTable} for a tuner to change, in microseconds. What it changes of the ways
 * that are possible counts, as it does in NCCL: 0 is the cheapest, {@code NCCL_ALGO_PROTO_IGNORE}
 * and what is no cost rule a way out. Costs that it leaves alone keep their precision.
 */
final class Costs {
  private static final String[] NAMES = {
    "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"
  };
  private static final Algorithm[] OURS = Algorithm.values();
  private static final Protocol[] PROTOCOLS = Protocol.values();

  private final GuardedMemory memory;
  private final MemorySegment cells;
  private final Complaints complaints;
  private final float[] shown = new float[TunerLayout.ALGORITHMS * TunerLayout.PROTOCOLS];
  private final double[] exact = new double[shown.length];

  Costs(Arena arena, Complaints complaints) {
    this.memory = new GuardedMemory(arena, TunerLayout.COSTS_BYTES);
    this.cells = memory.bytes();
    this.complaints = complaints;
  }

  long address() {
    return memory.address();
  }

  @Nullable String damage() {
    return memory.damage();
  }

  /** Fills the table in. */
  void show(CostTable table) {
    for (int i = 0; i < shown.length; i++) {
      Algorithm algorithm = algorithm(i / TunerLayout.PROTOCOLS);
      exact[i] =
          algorithm == null
              ? CostTable.IGNORE
              : table.get(algorithm, PROTOCOLS[i % TunerLayout.PROTOCOLS]);
      shown[i] = (float) exact[i];
      cells.setAtIndex(JAVA_FLOAT, i, shown[i]);
    }
  }

  /** Returns whether what is shown has a way through a collective network. */
  boolean hasCollNet() {
    int from = TunerLayout.COLLNET_DIRECT * TunerLayout.PROTOCOLS;
    int to = (TunerLayout.COLLNET_CHAIN + 1) * TunerLayout.PROTOCOLS;
    for (int i = from; i < to; i++) {
      if (shown[i] != TunerLayout.IGNORE) {
        return true;
      }
    }
    return false;
  }

  /** Takes over what the tuner has changed. */
  void take(CostTable table) {
    for (int i = 0; i < shown.length; i++) {
      float now = cells.getAtIndex(JAVA_FLOAT, i);
      if (Float.floatToRawIntBits(now) != Float.floatToRawIntBits(shown[i])) {
        change(i, now, table);
      }
    }
    requireSome(table);
  }

  /** Takes over the choice of a tuner of version 2; what it leaves open stays open. */
  void prefer(int algorithm, int protocol, CostTable table) {
    if (algorithm == TunerLayout.UNDEF && protocol == TunerLayout.UNDEF) {
      return;
    }
    if (algorithm < 0
        || algorithm >= TunerLayout.ALGORITHMS
        || protocol < 0
        || protocol >= TunerLayout.PROTOCOLS) {
      complaints.tell(
          Complaints.Kind.NOT_POSSIBLE,
          () ->
              ErrorText.of(
                  "it chooses algorithm %s and protocol %s, which are not both in NCCL's table; "
                      + "that is ignored",
                  algorithm, protocol));
      return;
    }
    change(algorithm * TunerLayout.PROTOCOLS + protocol, 0, table);
  }

  private void change(int cell, float now, CostTable table) {
    Algorithm algorithm = algorithm(cell / TunerLayout.PROTOCOLS);
    if (algorithm == null || shown[cell] == TunerLayout.IGNORE) {
      complaints.tell(
          Complaints.Kind.NOT_POSSIBLE,
          () ->
              ErrorText.of(
                  "it sets a cost of %s for %s, which cannot be done here; that is ignored",
                  now, name(cell)));
      return;
    }
    Protocol protocol = PROTOCOLS[cell % TunerLayout.PROTOCOLS];
    if (now >= 0 && now < Float.MAX_VALUE) {
      table.set(algorithm, protocol, now);
      return;
    }
    table.set(algorithm, protocol, CostTable.IGNORE);
    if (now != TunerLayout.IGNORE) {
      complaints.tell(
          Complaints.Kind.NO_COST,
          () ->
              ErrorText.of(
                  "it sets a cost of %s for %s, which is no time; that way is not taken, as in NCCL",
                  now, name(cell)));
    }
  }

  /** Where a tuner has ruled everything out, it has said nothing. */
  private void requireSome(CostTable table) {
    for (Algorithm algorithm : OURS) {
      for (Protocol protocol : PROTOCOLS) {
        if (table.get(algorithm, protocol) >= 0) {
          return;
        }
      }
    }
    for (int i = 0; i < exact.length; i++) {
      Algorithm algorithm = algorithm(i / TunerLayout.PROTOCOLS);
      if (algorithm != null) {
        table.set(algorithm, PROTOCOLS[i % TunerLayout.PROTOCOLS], exact[i]);
      }
    }
    complaints.tell(
        Complaints.Kind.NOTHING_LEFT, () -> "it leaves no way to do it; that is ignored");
  }

  private static @Nullable Algorithm algorithm(int row) {
    return switch (row) {
      case TunerLayout.TREE -> Algorithm.TREE;
      case TunerLayout.RING -> Algorithm.RING;
      case TunerLayout.COLLNET_DIRECT -> Algorithm.COLLNET_DIRECT;
      case TunerLayout.COLLNET_CHAIN -> Algorithm.COLLNET_CHAIN;
      default -> null;
    };
  }

  private static String name(int cell) {
    return NAMES[cell / TunerLayout.PROTOCOLS] + "/" + PROTOCOLS[cell % TunerLayout.PROTOCOLS];
  }
}
