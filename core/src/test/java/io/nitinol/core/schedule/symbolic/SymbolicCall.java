// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import io.nitinol.spi.Collective;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One collective as all ranks call it: the buffers, and what must be in them at the end. */
final class SymbolicCall {
  final Collective collective;
  final long count;
  final int root;
  final List<@Nullable View> inputs = new ArrayList<>();
  final List<@Nullable View> outputs = new ArrayList<>();

  private final int ranks;
  private final long all;
  private final Values values;
  private @Nullable List<SymbolicPiece> reference;

  SymbolicCall(
      Values values, int ranks, Collective collective, long count, int root, boolean inPlace) {
    this.values = values;
    this.ranks = ranks;
    this.all = ranks == 64 ? -1L : (1L << ranks) - 1;
    this.collective = collective;
    this.count = count;
    this.root = root;
    long inputLength = collective == Collective.REDUCE_SCATTER ? ranks * count : count;
    long outputLength = collective == Collective.ALL_GATHER ? ranks * count : count;
    for (int r = 0; r < ranks; r++) {
      boolean hasInput = collective != Collective.BROADCAST || r == root;
      boolean hasOutput = collective != Collective.REDUCE || r == root;
      boolean shared = inPlace && hasInput && hasOutput;
      SymbolicMemory large =
          new SymbolicMemory(
              (shared ? "buffer" : "output") + " of rank " + r,
              shared ? Math.max(inputLength, outputLength) : outputLength);
      SymbolicMemory second =
          shared ? large : new SymbolicMemory("input of rank " + r, inputLength);
      long inputBase = shared && collective == Collective.ALL_GATHER ? r * count : 0;
      long outputBase = shared && collective == Collective.REDUCE_SCATTER ? r * count : 0;
      inputs.add(hasInput ? new View(second, inputBase, inputLength) : null);
      outputs.add(hasOutput ? new View(large, outputBase, outputLength) : null);
    }
  }

  View input(int rank) {
    View view = inputs.get(rank);
    if (view == null) {
      throw new AssertionError("rank " + rank + " has no input");
    }
    return view;
  }

  View output(int rank) {
    View view = outputs.get(rank);
    if (view == null) {
      throw new AssertionError("rank " + rank + " has no output");
    }
    return view;
  }

  boolean reduces() {
    return collective != Collective.ALL_GATHER && collective != Collective.BROADCAST;
  }

  /** What the application does before the call. */
  void begin(int rank, Clock user) {
    user.tick();
    View input = inputs.get(rank);
    if (input != null && input.length() > 0) {
      input.write(
          0, List.of(new SymbolicPiece(input.length(), values.contribution(rank), 0)), user);
    }
  }

  /** What the application does after the call: it looks at its result and reuses its buffers. */
  void end(int rank, Clock user) {
    user.tick();
    View output = outputs.get(rank);
    if (output != null && output.length() > 0) {
      List<SymbolicPiece> result = SymbolicPiece.merged(output.read(0, output.length(), user));
      check(rank, result);
      write(output, user);
    }
    View input = inputs.get(rank);
    if (input != null && input.length() > 0) {
      write(input, user);
    }
  }

  private void write(View view, Clock user) {
    view.write(0, List.of(new SymbolicPiece(view.length(), values.garbage(), 0)), user);
  }

  private void check(int rank, List<SymbolicPiece> result) {
    switch (collective) {
      case ALL_GATHER -> {
        for (int b = 0; b < ranks; b++) {
          Values.check(
              result.size() == ranks
                  && result.get(b).equals(new SymbolicPiece(count, values.contribution(b), 0)),
              () -> "rank " + rank + " gathered " + describe(result));
        }
      }
      case BROADCAST ->
          Values.check(
              result.equals(List.of(new SymbolicPiece(count, values.contribution(root), 0))),
              () -> "rank " + rank + " got " + describe(result));
      default -> {
        long next = collective == Collective.REDUCE_SCATTER ? rank * count : 0;
        for (SymbolicPiece each : result) {
          Values.check(
              each.index() == next && values.isComplete(each.value(), all),
              () -> "rank " + rank + " has " + describe(result));
          next += each.count();
        }
        if (collective == Collective.ALL_REDUCE) {
          if (reference == null) {
            reference = result;
          }
          Values.check(result.equals(reference), "rank " + rank + " has other bits than others");
        }
      }
    }
  }

  long all() {
    return all;
  }

  private String describe(List<SymbolicPiece> pieces) {
    StringBuilder text = new StringBuilder();
    for (SymbolicPiece each : pieces) {
      text.append(' ').append(each.count()).append(" of ").append(values.describe(each.value()));
      text.append(" from ").append(each.index()).append(';');
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return collective.label() + " of " + count + ", root " + root;
  }
}
