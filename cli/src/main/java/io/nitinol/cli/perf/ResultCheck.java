// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.collective.PerfSession;
import io.nitinol.toolkit.ErrorText;
import java.util.function.Consumer;

/** Runs operations with data that is known, and looks at all that they leave behind. */
final class ResultCheck {
  private final PerfCollective collective;
  private final PerfSession session;
  private final Consumer<String> complaints;
  private final BarrierCheck order;
  private long seed;

  /**
   * Creates a check.
   *
   * @param complaints gets a line for each result of this rank that is wrong
   */
  ResultCheck(PerfCollective collective, PerfSession session, Consumer<String> complaints) {
    this.collective = collective;
    this.session = session;
    this.complaints = complaints;
    this.order = new BarrierCheck(session);
  }

  /**
   * Runs the operation once with new data; returns what is wrong on this rank. One that holds the
   * ranks is run again for that.
   *
   * @param operation runs it to its end
   */
  long run(PerfJob job, Buffers.Slices slices, Runnable operation) {
    int rank = session.rank();
    Images images = prepare(job, slices);
    operation.run();
    images.recv.expect(
        collective.result(job, rank), slices.isInPlace() ? collective.recvOffset(job, rank) : 0);
    session.download(slices.guardedRecv());
    long wrong = wrong(job, images.recv.compare(slices.guardedRecv(), Buffers.GUARD_BYTES));
    if (!slices.isInPlace()) {
      session.download(slices.guardedSend());
      wrong += wrong(job, images.send.compare(slices.guardedSend(), Buffers.GUARD_BYTES));
    }
    return wrong + (collective.holdsRanks() ? early(job, operation) : 0);
  }

  private long early(PerfJob job, Runnable operation) {
    long early = order.run(operation);
    if (early > 0) {
      complain(job, ErrorText.of("it ended before %d calls of other ranks began", early));
    }
    return early;
  }

  /** What the buffers hold; the same object twice in place. */
  private record Images(BufferImage send, BufferImage recv) {}

  /** Fills the buffers with new data. */
  private Images prepare(PerfJob job, Buffers.Slices slices) {
    seed++; // in step on all ranks
    int rank = session.rank();
    BufferImage recv = new BufferImage(job, seed);
    BufferImage send = slices.isInPlace() ? recv : new BufferImage(job, seed);
    send.contribute(
        collective.contribution(job, rank),
        slices.isInPlace() ? collective.sendOffset(job, rank) : 0);
    recv.write(slices.guardedRecv(), Buffers.GUARD_BYTES);
    session.upload(slices.guardedRecv());
    if (!slices.isInPlace()) {
      send.write(slices.guardedSend(), Buffers.GUARD_BYTES);
      session.upload(slices.guardedSend());
    }
    return new Images(send, recv);
  }

  /** Fills the buffers with data of which the arithmetic takes the usual time. */
  void fill(PerfJob job, Buffers.Slices slices) {
    prepare(job, slices);
  }

  private long wrong(PerfJob job, BufferImage.Damage damage) {
    if (damage.results().wrong() > 0) {
      complain(job, damage.results().describe());
    }
    if (damage.contributions() > 0) {
      complain(job, damage.contributions() + " elements of the send buffer were written");
    }
    if (damage.poison() > 0) {
      complain(job, damage.poison() + " bytes beside the result were written");
    }
    return damage.results().wrong() + damage.contributions() + damage.poison();
  }

  private void complain(PerfJob job, String what) {
    String op = job.op() == PerfOperator.NONE ? "" : " " + job.op().label();
    String root = job.root() == PerfJob.NO_ROOT ? "" : " root " + job.root();
    complaints.accept(
        ErrorText.of(
            "rank %d: %s of %d %s%s%s: %s",
            session.rank(), collective.label(), job.count(), job.type().label(), op, root, what));
  }
}
