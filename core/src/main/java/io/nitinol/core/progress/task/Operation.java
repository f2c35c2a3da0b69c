// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.profiler.CallEvents;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One submitted operation: a collective, or a batch of sends and receives. A descriptor that the
 * ring reuses: its fields are written by the submitting thread before {@link #publish} and read by
 * others after {@link #isPublished}.
 */
public final class Operation {
  private static final VarHandle PUBLISHED;
  private static final VarHandle PARTS;

  /**
   * Bytes from which on the buffers of a collective are let go of when it is done. Otherwise the
   * ring would keep them until it comes around, and those that the garbage collector frees may have
   * gigabytes.
   */
  private static final long LARGE_BYTES = 1 << 20;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      PUBLISHED = lookup.findVarHandle(Operation.class, "published", long.class);
      PARTS = lookup.findVarHandle(Operation.class, "parts", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Collective collective = Collective.ALL_REDUCE;
  private @Nullable Choice choice;
  private int choiceCode;
  private MemorySegment input = MemorySegment.NULL;
  private MemorySegment output = MemorySegment.NULL;
  private long count;

  /** The second word of the headers of a collective's messages. */
  private long countWord;

  private DataType type = DataType.INT8;
  private int opCode;
  private @Nullable ReduceFunction function;
  private int root;
  private @Nullable PairTransfers transfers;
  private @Nullable Runnable completion;

  /** Whether the executor that does the last part has something to do then. */
  private boolean counted;

  /** Whether that is to let go of the buffers. */
  private boolean large;

  private long sequence;

  /** The profiler that hears of this operation, or null, and as which event. */
  private @Nullable ProfilerSession profiler;

  private long event;
  private int wanted;

  @SuppressWarnings("UnusedVariable") // by PUBLISHED
  private long published;

  @SuppressWarnings("UnusedVariable") // by PARTS
  private int parts;

  public boolean isPublished(long asSequence) {
    return (long) PUBLISHED.getAcquire(this) == asSequence;
  }

  /**
   * Makes this a collective. References are only written where they change: a write of one costs
   * more than a look, and loops give the same again and again.
   */
  @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"}) // is it the very one?
  public void collective(CollectiveCall call, Choice newChoice) {
    if (collective != call.collective()) {
      collective = call.collective();
    }
    if (choice != newChoice) {
      choice = newChoice;
      choiceCode = newChoice.code();
    }
    if (input != call.input()) {
      input = call.input();
    }
    if (output != call.output()) {
      output = call.output();
    }
    count = call.count();
    countWord = MessageHeader.countWord(count, choiceCode);
    if (type != call.type()) {
      type = call.type();
    }
    opCode = call.op();
    if (function != call.function()) {
      function = call.function();
    }
    root = call.root();
    if (transfers != null) {
      transfers = null;
    }
  }

  /** Makes this a batch. */
  public void batch(PairTransfers newTransfers) {
    collective = Collective.SEND_RECV;
    choice = null;
    input = MemorySegment.NULL;
    output = MemorySegment.NULL;
    count = 0;
    countWord = 0;
    function = null;
    transfers = newTransfers;
  }

  /**
   * Makes the operation visible.
   *
   * @param toRun called when it is done, before any thread sees that
   * @param executors how many do a part of it
   * @param ranks how many ranks there are
   */
  public void publish(long asSequence, @Nullable Runnable toRun, int executors, int ranks) {
    sequence = asSequence;
    if (toRun != null || completion != null) {
      completion = toRun;
    }
    large = transfers == null && countedBytes(ranks) >= LARGE_BYTES;
    counted = toRun != null || profiler != null || large;
    if (counted) {
      PARTS.set(this, executors);
    }
    PUBLISHED.setRelease(this, asSequence);
  }

  /** Notes that one executor has done its part; the last one runs the completion. */
  public void partDone() {
    Runnable toRun = completion;
    if (counted && (int) PARTS.getAndAdd(this, -1) == 1) {
      if (large) {
        input = MemorySegment.NULL;
        output = MemorySegment.NULL;
      }
      if (toRun != null) {
        toRun.run();
      }
      endEvents(false);
    }
  }

  /**
   * Starts the events of this operation; before {@link #publish}. If none is wanted, the operation
   * has no profiler.
   */
  public void tell(ProfilerSession session) {
    CallEvents events = session.current();
    Choice known = choice;
    PairTransfers batch = transfers;
    wanted = events.mask();
    profiler = wanted == 0 ? null : session;
    if (batch != null) {
      if (wanted != 0) {
        batch.startEvents(events);
      }
    } else if (known != null) {
      event =
          events.coll(
              collective,
              input.address(),
              output.address(),
              count,
              type,
              root,
              known.algorithm(),
              known.protocol(),
              known.channels());
    }
  }

  /** Stops the events that were started and not stopped: the operation was given up. */
  public void giveUpEvents() {
    endEvents(true);
  }

  private void endEvents(boolean givenUp) {
    ProfilerSession session = profiler;
    if (session != null) {
      profiler = null;
      PairTransfers batch = transfers;
      if (batch != null) {
        batch.stopEvents(session, givenUp);
      } else if (givenUp) {
        session.giveUp(event);
      } else {
        session.stop(event);
      }
      event = 0;
    }
  }

  /** Returns the profiler that hears of this operation, or null; while a part of it is not done. */
  public @Nullable ProfilerSession profiler() {
    return profiler;
  }

  /** Returns the event of a collective, 0 where there is none. */
  public long event() {
    return event;
  }

  /** Returns which events of this operation are wanted. */
  public int wanted() {
    return wanted;
  }

  public Collective collective() {
    return collective;
  }

  /** Returns the choice of a collective. */
  public Choice choice() {
    Choice known = choice;
    if (known == null) {
      throw new IllegalStateException("a batch has no algorithm");
    }
    return known;
  }

  public MemorySegment input() {
    return input;
  }

  public MemorySegment output() {
    return output;
  }

  public long count() {
    return count;
  }

  /**
   * Returns the second word of the headers of this collective: its count and part of its choice.
   */
  public long countWord() {
    return countWord;
  }

  /** Returns how many bytes of the input are used where there are {@code ranks}. */
  public long inputBytes(int ranks) {
    long factor = collective == Collective.REDUCE_SCATTER ? ranks : 1;
    return factor * count * type.size();
  }

  /** Returns how many bytes of the output are used where there are {@code ranks}. */
  public long outputBytes(int ranks) {
    long factor = collective == Collective.ALL_GATHER ? ranks : 1;
    return factor * count * type.size();
  }

  /**
   * Returns how many bytes this counts for where there are {@code ranks}, as nccl-tests count them:
   * those of the larger of what the rank gives and what it gets.
   */
  public long countedBytes(int ranks) {
    PairTransfers batch = transfers;
    return batch == null ? Math.max(inputBytes(ranks), outputBytes(ranks)) : batch.countedBytes();
  }

  public int elementBytes() {
    return type.size();
  }

  /** Returns what reduces, or null where data is only moved. */
  public @Nullable ReduceFunction function() {
    return function;
  }

  /** Returns whether the operator leaves a contribution as it is where there is only one. */
  public boolean isIdentityAlone() {
    return function == null || ReductionOp.ofCode(opCode) != null;
  }

  /** Returns what changes a contribution on its way to the others, or null where it goes as is. */
  public @Nullable ReduceFunction contributing() {
    ReductionOp op = ReductionOp.ofCode(opCode);
    return op == null || op == ReductionOp.AVG ? function : null;
  }

  /** Returns what changes a sum that is complete, or null where it stays as it is. */
  public @Nullable ReduceFunction completing() {
    return opCode == ReductionOp.AVG.code() && !type.isFloat() ? function : null;
  }

  public DataType type() {
    return type;
  }

  /** Returns the operator's code. */
  public int op() {
    return opCode;
  }

  public int root() {
    return root;
  }

  /** Returns the transfers of a batch, or null for a collective. */
  public @Nullable PairTransfers transfers() {
    return transfers;
  }

  public long sequence() {
    return sequence;
  }

  /**
   * Returns the first word of the headers of collective {@code number}.
   *
   * @param past what {@link MessageHeader#past} made of the collectives before
   */
  public long headerWord(long number, int past) {
    return MessageHeader.word(
        number, collective.code(), type.code(), opCode, root, choiceCode, past);
  }

  /**
   * Returns what this is and how it is done, for messages: the same text on all ranks that called
   * and chose the same.
   */
  public String describe(long number) {
    PairTransfers batch = transfers;
    return batch != null
        ? "batch " + number + " of " + batch
        : "operation " + number + ", " + describeCall(headerWord(number, 0), countWord);
  }

  /** Returns what the rank called that wrote a message with this header. */
  public static String describeHeader(long word, long countWord) {
    return "operation " + MessageHeader.sequence(word) + ", " + describeCall(word, countWord);
  }

  private static String describeCall(long word, long countWord) {
    return describeAsked(word, countWord)
        + ", by "
        + Choice.describe(MessageHeader.choice(word, countWord));
  }

  /** Returns what the rank asked for that wrote a message with this header, not how it is done. */
  public static String describeAsked(long word, long countWord) {
    Collective collective = Collective.ofCode(MessageHeader.collective(word));
    DataType type = DataType.ofCode(MessageHeader.type(word));
    return ErrorText.of(
        "%s of %s %s%s%s",
        collective == null ? "an unknown collective" : collective.label(),
        MessageHeader.count(countWord),
        type == null ? "unknown type" : type.label(),
        operator(MessageHeader.op(word)),
        collective != null && hasRoot(collective) ? ", root " + MessageHeader.root(word) : "");
  }

  /**
   * Returns what is wrong where two ranks that are in the same operation differ in its header.
   *
   * @param mine what {@code rank} is in
   * @param theirs what {@code peer} is in
   */
  public static String describeDifference(
      int rank, long mine, long countWord, int peer, long theirs, long theirCountWord) {
    String ranks = "ranks " + peer + " and " + rank;
    long call = MessageHeader.withoutPast(MessageHeader.withoutChoice(mine));
    long theirCall = MessageHeader.withoutPast(MessageHeader.withoutChoice(theirs));
    if (call == theirCall
        && MessageHeader.count(countWord) == MessageHeader.count(theirCountWord)) {
      if (MessageHeader.choice(mine, countWord) != MessageHeader.choice(theirs, theirCountWord)) {
        return ranks
            + " chose different ways to do the same operation, for which the variables or the tuner"
            + " of one must be others";
      }
      if (MessageHeader.past(mine) != MessageHeader.past(theirs)) {
        return ranks + " named different roots in an operation before this one";
      }
      return ErrorText.of(
          "%s called the same, and a message came with another size than it was sent with: "
              + "no mistake of the application's, but of the network plugin or of what lifts it "
              + "to the newest version (NITINOL_VALIDATE=1 checks its calls, nitinol tck tests "
              + "it alone)",
          ranks);
    }
    return ranks + " called different operations";
  }

  /** Returns an operator's name with a space before it; nothing where nothing is reduced. */
  public static String operator(int code) {
    ReductionOp op = ReductionOp.ofCode(code);
    if (op != null) {
      return " " + op.label();
    }
    return switch (code) {
      case CollectiveCall.NO_OPERATOR -> "";
      case CollectiveCall.BIT_AND -> " bit_and";
      case CollectiveCall.BIT_OR -> " bit_or";
      case CollectiveCall.BIT_XOR -> " bit_xor";
      case CollectiveCall.OF_APPLICATION -> " an operator of the application";
      case CollectiveCall.BARRIER -> " barrier";
      default -> " pre-multiplied sum " + code;
    };
  }

  private static boolean hasRoot(Collective collective) {
    return switch (collective) {
      case BROADCAST, REDUCE, GATHER, SCATTER -> true;
      default -> false;
    };
  }
}
