// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.call;

import io.nitinol.core.CommException;
import io.nitinol.core.profiler.CallEvents;
import io.nitinol.core.progress.task.CollectiveCall;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.thread.OnlyThread;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans what one communicator does at the end of a group: its messages as one operation, then its
 * collectives, of which small all-reduces that follow each other are put together.
 */
@OnlyThread("group's thread")
final class GroupPlan implements GroupPart {
  /** All-reduces done as one, or a single collective. */
  private record Step(List<Call.OfCollective> parts, @Nullable Aggregate aggregate) {}

  private final Calls calls;
  private final @Nullable CallEvents events;
  private final List<Call.OfMessages> messages = new ArrayList<>();
  private final List<Call.OfCollective> collectives = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private @Nullable TransferBatch batch;
  private int submitted;

  GroupPlan(Calls calls, @Nullable CallEvents events) {
    this.events = events;
    this.calls = calls;
  }

  void add(Call call) {
    switch (call) {
      case Call.OfMessages each -> messages.add(each);
      case Call.OfCollective each -> collectives.add(each);
      case Call.OfMistake each -> throw each.error();
    }
  }

  /** Also puts data together. */
  @Override
  public int prepare() {
    calls.check();
    if (!messages.isEmpty()) {
      TransferBatch all = new TransferBatch(calls.rank());
      messages.forEach(each -> each.pieces().forEach(all::add));
      all.check();
      batch = all;
    }
    for (int from = 0; from < collectives.size(); ) {
      int to = endOfRun(from);
      List<Call.OfCollective> parts = collectives.subList(from, to);
      steps.add(new Step(parts, parts.size() == 1 ? null : together(parts)));
      from = to;
    }
    return steps.size() + (batch == null ? 0 : 1);
  }

  /** Returns the index behind the last that is done together with the one at {@code from}. */
  private int endOfRun(int from) {
    Call.OfCollective first = collectives.get(from);
    long bytes = first.call().bytes();
    int to = from + 1;
    while (first.isSmallAllReduce() && to < collectives.size()) {
      Call.OfCollective next = collectives.get(to);
      bytes += next.call().bytes();
      if (!next.isSmallAllReduce() || !next.isLike(first) || bytes > Aggregate.MAX_BYTES) {
        break;
      }
      to++;
    }
    return to;
  }

  private Aggregate together(List<Call.OfCollective> parts) {
    checkApart(parts);
    Aggregate aggregate =
        new Aggregate(calls.staging(), parts.stream().mapToLong(part -> part.call().bytes()).sum());
    for (Call.OfCollective part : parts) {
      long bytes = part.call().bytes();
      aggregate.add(part.call().input().asSlice(0, bytes), part.call().output().asSlice(0, bytes));
    }
    return aggregate;
  }

  /** Results that overlap would depend on the order in which they are written. */
  private static void checkApart(List<Call.OfCollective> parts) {
    List<CollectiveCall> sorted = new ArrayList<>();
    parts.forEach(part -> sorted.add(part.call()));
    sorted.removeIf(part -> part.bytes() == 0);
    sorted.sort((a, b) -> Long.compareUnsigned(a.output().address(), b.output().address()));
    for (int i = 1; i < sorted.size(); i++) {
      MemorySegment before = sorted.get(i - 1).output();
      if (sorted.get(i).output().address() - before.address() < sorted.get(i - 1).bytes()) {
        throw new CommException(
            ResultCode.INVALID_ARGUMENT,
            "group: the recv buffers of two all_reduce calls overlap; expected that no call uses"
                + " what another one of the group writes. Nothing was submitted");
      }
    }
  }

  @Override
  public boolean submit(int index) {
    int step = index - (batch == null ? 0 : 1);
    if (step < 0 && batch != null) {
      long operation = calls.submit(batch);
      messages.forEach(each -> each.handle().submittedAs(operation));
    } else if (step < steps.size()) {
      submit(steps.get(step));
      submitted = step + 1;
    } else {
      return false;
    }
    return true;
  }

  private void submit(Step step) {
    Aggregate aggregate = step.aggregate();
    Call.OfCollective first = step.parts().getFirst();
    if (events != null) {
      events.of(first.handle().event());
    }
    long operation =
        aggregate == null
            ? calls.submit(first.call(), null)
            : calls.submit(first.call().inPlace(aggregate.data()), aggregate::scatter);
    step.parts().forEach(part -> part.handle().submittedAs(operation));
  }

  @Override
  public void release() {
    for (Step step : steps.subList(Math.min(submitted, steps.size()), steps.size())) {
      if (step.aggregate() != null) {
        step.aggregate().release();
      }
    }
  }
}
