// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * The 16 bytes in front of each message's data: which operation it belongs to, as the sender was
 * called. A receiver that was called otherwise finds out before it touches the data.
 *
 * <pre>
 *   0  long  bits 0 to 16   number of the collective on this communicator
 *            bits 17 to 20  roots of the collectives before, folded
 *            bits 21 to 36  root
 *            bits 37 to 47  choice, its low 11 bits: channels, protocol, in place
 *            bits 48 to 51  collective
 *            bits 52 to 55  data type
 *            bits 56 to 63  operator
 *   8  long  bits 0 to 55   element count of the operation
 *            bits 56 to 63  choice, its high 8 bits: algorithm
 * </pre>
 *
 * Of each number that is longer the low bits. The order of messages is kept, so what these bits
 * cannot tell apart never meets. A count needs no more than 56: an element has at least a byte, and
 * no processor gives a process more than 2^56 bytes of addresses (x86-64 with five levels of page
 * tables; others give less).
 *
 * <p>In sends and receives between pairs: the number of the transfer on this connection, and its
 * length in bytes as the second word.
 *
 * <p>All little-endian. {@code CommTerms} carries the version of this layout, which all ranks of a
 * communicator have in common.
 */
@AnyThread
public final class MessageHeader {
  /** Size in bytes. */
  public static final int BYTES = 16;

  /** How many bits a choice's code has. */
  public static final int CHOICE_BITS = 19;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final BitField SEQUENCE = new BitField("collective's number", 0, 17);
  private static final BitField PAST = new BitField("roots before", 17, 4);
  private static final BitField ROOT = new BitField("root", 21, 16);
  private static final BitField CHOICE_LOW = new BitField("choice, low", 37, 11);
  private static final BitField COLLECTIVE =
      new BitField("collective", 48, 4).upTo(most(Collective.values(), Collective::code));
  private static final BitField TYPE =
      new BitField("data type", 52, 4).upTo(most(DataType.values(), DataType::code));
  private static final BitField OPERATOR =
      new BitField("operator", 56, 8).upTo(most(ReductionOp.values(), ReductionOp::code));

  private static final BitField COUNT = new BitField("element count", 0, 56);
  private static final BitField CHOICE_HIGH =
      new BitField("choice, high", 56, 8).upTo((1L << (CHOICE_BITS - CHOICE_LOW.bits())) - 1);

  private MessageHeader() {}

  private static <E> int most(E[] values, ToIntFunction<E> code) {
    return Arrays.stream(values).mapToInt(code).max().orElse(0);
  }

  /** Returns the fields of the first word, in order. */
  static List<BitField> firstWord() {
    return List.of(SEQUENCE, PAST, ROOT, CHOICE_LOW, COLLECTIVE, TYPE, OPERATOR);
  }

  /** Returns the fields of the second word, in order. */
  static List<BitField> secondWord() {
    return List.of(COUNT, CHOICE_HIGH);
  }

  /**
   * Returns the first word of the header of an operation.
   *
   * @param choice how it is done, as {@code Choice.code}
   * @param past what {@link #past} made of the operations before
   */
  public static long word(
      long sequence, int collective, int type, int op, int root, int choice, int past) {
    return SEQUENCE.put(sequence)
        | PAST.put(past)
        | ROOT.put(root)
        | CHOICE_LOW.put(choice)
        | COLLECTIVE.put(collective)
        | TYPE.put(type)
        | OPERATOR.put(op);
  }

  /**
   * Returns the second word of the header of an operation.
   *
   * @param count its elements
   * @param choice how it is done, as {@code Choice.code}
   */
  public static long countWord(long count, int choice) {
    return COUNT.put(count) | CHOICE_HIGH.put(choice >>> CHOICE_LOW.bits());
  }

  /**
   * Adds a root to those of the operations before. Two ranks that both take themselves for the root
   * of a broadcast send and do not listen: only the next operation can tell.
   */
  public static int past(int before, int root) {
    return (int) ((before * 3 + (root ^ root >>> 4 ^ root >>> 8)) & PAST.max());
  }

  /** Writes the header of the message whose data begins at {@code dataOffset}. */
  public static void write(MemorySegment memory, long dataOffset, long word, long countWord) {
    memory.set(WORD, dataOffset - BYTES, word);
    memory.set(WORD, dataOffset - BYTES + 8, countWord);
  }

  /** Returns the first word of the header in front of {@code dataOffset}. */
  public static long word(MemorySegment memory, long dataOffset) {
    return memory.get(WORD, dataOffset - BYTES);
  }

  /** Returns the second word of the header in front of {@code dataOffset}. */
  public static long countWord(MemorySegment memory, long dataOffset) {
    return memory.get(WORD, dataOffset - BYTES + 8);
  }

  /** Returns the operation number in a first word, its low 17 bits. */
  public static int sequence(long word) {
    return (int) SEQUENCE.get(word);
  }

  /** Returns what a first word says of the roots of the operations before. */
  public static int past(long word) {
    return (int) PAST.get(word);
  }

  /** Returns the low 16 bits of the root in a first word. */
  public static int root(long word) {
    return (int) ROOT.get(word);
  }

  /** Returns how the operation is done, as {@code Choice.code}. */
  public static int choice(long word, long countWord) {
    return (int) (CHOICE_LOW.get(word) | CHOICE_HIGH.get(countWord) << CHOICE_LOW.bits());
  }

  /** Returns the element count in a second word. */
  public static long count(long countWord) {
    return COUNT.get(countWord);
  }

  /** Returns the first word without how the operation is done. */
  public static long withoutChoice(long word) {
    return CHOICE_LOW.clear(word);
  }

  /** Returns the first word without the operations before. */
  public static long withoutPast(long word) {
    return PAST.clear(word);
  }

  /** Returns the collective's code in a first word. */
  public static int collective(long word) {
    return (int) COLLECTIVE.get(word);
  }

  /** Returns the data type's code in a first word. */
  public static int type(long word) {
    return (int) TYPE.get(word);
  }

  /** Returns the operator's code in a first word. */
  public static int op(long word) {
    return (int) OPERATOR.get(word);
  }
}
