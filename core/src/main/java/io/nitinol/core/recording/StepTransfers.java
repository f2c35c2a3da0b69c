// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.recording;

import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.toolkit.thread.OneThread;
import java.util.function.IntUnaryOperator;

/** Tells a recorder what the steps of one schedule of a rank move between ranks. */
@OneThread
public final class StepTransfers {
  private final int rank;
  private final TransferRecorder recorder;
  private final Transfer transfer = new Transfer();
  private int elementBytes;
  private boolean pairs;

  /** Creates one for the steps of {@code rank}. */
  public StepTransfers(int rank, TransferRecorder recorder) {
    this.rank = rank;
    this.recorder = recorder;
  }

  /**
   * Begins an operation.
   *
   * @param operation its number on the communicator, from 1
   */
  public void begin(
      long operation, Collective collective, Choice choice, int channel, int bytesOfElement) {
    transfer.begin(operation, collective, choice, channel);
    elementBytes = bytesOfElement;
    pairs = false;
  }

  /** Begins a batch of sends and receives, whose steps count bytes. */
  public void beginPairs(long operation, int channel) {
    transfer.pair(operation, channel, rank, rank, 0);
    elementBytes = 1;
    pairs = true;
  }

  /**
   * Tells what a step moves.
   *
   * @param members how many ranks the team of this host has
   * @param rankOf the rank of each member
   */
  public void step(Step step, int members, IntUnaryOperator rankOf) {
    long bytes = step.count() * elementBytes;
    StepKind kind = step.kind();
    if (pairs) {
      if (kind.sends()) {
        int channel = transfer.channel();
        recorder.record(transfer.pair(transfer.operation(), channel, rank, step.sendPeer(), bytes));
      }
      return;
    }
    if (bytes == 0) {
      return;
    }
    if (kind.sends()) {
      recorder.record(transfer.of(kind, rank, step.sendPeer(), bytes));
    }
    switch (kind) {
      case GET, GET_DIRECT ->
          recorder.record(transfer.of(kind, rankOf.applyAsInt(step.member()), rank, bytes));
      case FOLD, FOLD_PUT, FOLD_SLOT -> fromAll(kind, bytes, members, rankOf);
      case FOLD_DIRECT -> {
        fromAll(kind, bytes, members, rankOf);
        for (int m = 0; m < members; m++) {
          to(kind, rankOf.applyAsInt(m), bytes);
        }
      }
      case FOLD_DIRECT_TO -> {
        fromAll(kind, bytes, members, rankOf);
        to(kind, rankOf.applyAsInt(step.member()), bytes);
      }
      default -> {}
    }
  }

  private void fromAll(StepKind kind, long bytes, int members, IntUnaryOperator rankOf) {
    for (int m = 0; m < members; m++) {
      int from = rankOf.applyAsInt(m);
      if (from != rank) {
        recorder.record(transfer.of(kind, from, rank, bytes));
      }
    }
  }

  private void to(StepKind kind, int destination, long bytes) {
    if (destination != rank) {
      recorder.record(transfer.of(kind, rank, destination, bytes));
    }
  }
}
