// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.recording.StepTransfers;
import io.nitinol.core.recording.Transfer;
import io.nitinol.core.recording.TransferRecorder;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.sim.workload.CollectiveSpec;
import io.nitinol.core.tuning.Choice;
import io.nitinol.toolkit.thread.OneThread;

/**
 * Lists what one collective moves, without times: rank by rank, channel by channel, in the order of
 * the steps. Only the ranks that are asked for are planned, so that processes can share the work.
 */
@OneThread
public final class TransferList {
  private final VirtualCommunicator comm;
  private final CollectiveSpec spec;
  private final Choice choice;
  private final long operation;

  /**
   * Creates the list of a collective.
   *
   * @param operation its number on its communicator, from 1
   */
  public TransferList(
      VirtualCommunicator comm, CollectiveSpec spec, Choice choice, long operation) {
    this.comm = comm;
    this.spec = spec;
    this.choice = choice;
    this.operation = operation;
  }

  /** Tells {@code to} what the steps of {@code rank} move. */
  public void list(int rank, TransferRecorder to) {
    if (!VirtualCommunicator.isScheduled(spec.collective())) {
      pairs(rank, to);
      return;
    }
    HostLayout layout = comm.layout();
    int host = layout.host(rank);
    StepTransfers transfers = new StepTransfers(rank, to);
    Step step = new Step();
    if (spec.count(comm.ranks()) == 0) {
      return;
    }
    for (int channel = 0; channel < choice.channels(); channel++) {
      transfers.begin(operation, spec.collective(), choice, channel, CollectiveSpec.ELEMENT_BYTES);
      for (Schedule schedule : comm.schedules(spec, choice, rank, channel)) {
        long steps = schedule.steps();
        for (long i = 0; i < steps; i++) {
          schedule.step(i, step);
          transfers.step(step, layout.size(host), m -> layout.member(host, m));
        }
      }
    }
  }

  private void pairs(int rank, TransferRecorder to) {
    Transfer transfer = new Transfer();
    Step step = new Step();
    for (PairTransfer each : PairTransfer.of(comm, spec, rank)) {
      if (each.sends()) {
        int channel = (rank + each.peer()) % comm.channels();
        for (long i = 0; i < each.steps(); i++) {
          each.step(i, step);
          to.record(transfer.pair(operation, channel, rank, each.peer(), step.count()));
        }
      }
    }
  }

  /** Returns how many messages {@code rank} receives, without going through the steps. */
  public long receives(int rank) {
    long sum = 0;
    if (!VirtualCommunicator.isScheduled(spec.collective())) {
      for (PairTransfer each : PairTransfer.of(comm, spec, rank)) {
        sum += each.receives(each.peer());
      }
      return sum;
    }
    for (int channel = 0; channel < choice.channels() && spec.count(comm.ranks()) > 0; channel++) {
      for (Schedule schedule : comm.schedules(spec, choice, rank, channel)) {
        for (int peer : schedule.recvPeers()) {
          sum += schedule.receives(peer);
        }
      }
    }
    return sum;
  }
}
