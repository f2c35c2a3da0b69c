// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a group, as every child announces it to its switch: 64 bytes in front of the
 * data, big-endian. The children of a group announce the same, byte for byte.
 *
 * <pre>
 *  0 mark   4 kind   5 type   6 operator   7 zero   8 sequence
 * 16 bytes per rank   24 window offset   32 window bytes   40 zeroes to 63
 * </pre>
 *
 * <p>All three kinds are about a <i>window</i>, which is what travels: of an all-reduce all of it,
 * of a gather the bytes of the whole result that are asked for, of a scatter those of the whole
 * contribution. Ranks have their parts of the whole one after the other; an all-reduce knows no
 * parts.
 *
 * <p>An object is set or read again for each operation, so that none is made on the data path. Not
 * safe for several threads.
 */
public final class Descriptor {
  /** The size of a descriptor in bytes. */
  public static final int BYTES = 64;

  /** An operation of so many bytes has its data right behind the descriptor, in one message. */
  public static final int INLINE_BYTES = 4 << 10;

  /** The largest operation in bytes. */
  public static final long MOST_BYTES = 1L << 40;

  private static final int MARK = 0x4e54_4e43; // "NTNC"
  private static final int RESERVED = 40;

  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private Collective kind = Collective.ALL_REDUCE;
  private DataType type = DataType.INT8;
  private ReductionOp op = ReductionOp.SUM;
  private long sequence;
  private long bytesPerRank;
  private long windowOffset;
  private long windowBytes;

  /** Makes the descriptor of an all-reduce of nothing. */
  public Descriptor() {}

  /**
   * Makes this an all-reduce.
   *
   * @param number how many operations the group has had before this one
   * @param count how many elements
   * @param of their type
   * @param with the operator
   * @return this
   */
  public Descriptor allReduce(long number, long count, DataType of, ReductionOp with) {
    return set(Collective.ALL_REDUCE, number, 0, 0, count * of.size(), of, with);
  }

  /**
   * Makes this an all-gather.
   *
   * @param number how many operations the group has had before this one
   * @param perRank the bytes that each rank has in the whole result
   * @param offset the first byte of the window in it
   * @param bytes the length of the window
   * @return this
   */
  public Descriptor allGather(long number, long perRank, long offset, long bytes) {
    return set(
        Collective.ALL_GATHER, number, perRank, offset, bytes, DataType.INT8, ReductionOp.SUM);
  }

  /**
   * Makes this a reduce-scatter.
   *
   * @param number how many operations the group has had before this one
   * @param perRank the bytes for each rank in the whole contribution
   * @param offset the first byte of the window in it
   * @param bytes the length of the window
   * @param of the type of the elements
   * @param with the operator
   * @return this
   */
  public Descriptor reduceScatter(
      long number, long perRank, long offset, long bytes, DataType of, ReductionOp with) {
    return set(Collective.REDUCE_SCATTER, number, perRank, offset, bytes, of, with);
  }

  /**
   * Makes this the same operation as another.
   *
   * @param other the other
   */
  public void copy(Descriptor other) {
    set(
        other.kind,
        other.sequence,
        other.bytesPerRank,
        other.windowOffset,
        other.windowBytes,
        other.type,
        other.op);
  }

  private Descriptor set(
      Collective newKind,
      long number,
      long perRank,
      long offset,
      long bytes,
      DataType newType,
      ReductionOp newOp) {
    kind = newKind;
    type = newType;
    op = newOp;
    sequence = number;
    bytesPerRank = perRank;
    windowOffset = offset;
    windowBytes = bytes;
    return this;
  }

  /**
   * Writes the {@link #BYTES} bytes.
   *
   * @param out where to
   * @param at the first byte there
   */
  public void write(MemorySegment out, long at) {
    for (int i = 0; i < BYTES; i += Long.BYTES) { // fill wants a slice, which is an object
      out.set(LONG, at + i, 0);
    }
    out.set(INT, at, MARK);
    out.set(ValueLayout.JAVA_BYTE, at + 4, (byte) kind.code());
    out.set(ValueLayout.JAVA_BYTE, at + 5, (byte) type.code());
    out.set(ValueLayout.JAVA_BYTE, at + 6, (byte) op.code());
    out.set(LONG, at + 8, sequence);
    out.set(LONG, at + 16, bytesPerRank);
    out.set(LONG, at + 24, windowOffset);
    out.set(LONG, at + 32, windowBytes);
  }

  /**
   * Reads what a child sent. Where that is no operation of a group of {@code nranks} this stays as
   * it was.
   *
   * @param in the message
   * @param at its first byte
   * @param length how many bytes the message has, with what may follow the descriptor
   * @param nranks how many ranks the group has
   * @return what is wrong with it, in words, or null: it was read
   */
  public @Nullable String read(MemorySegment in, long at, long length, int nranks) {
    if (length < BYTES) {
      return "a message of " + length + " bytes where a descriptor of " + BYTES + " was expected";
    }
    int mark = in.get(INT, at);
    if (mark != MARK) {
      return ErrorText.of(
          "a message that begins with 0x%s where a descriptor was expected",
          Integer.toHexString(mark));
    }
    byte kindCode = in.get(ValueLayout.JAVA_BYTE, at + 4);
    byte typeCode = in.get(ValueLayout.JAVA_BYTE, at + 5);
    byte opCode = in.get(ValueLayout.JAVA_BYTE, at + 6);
    Collective newKind = Collective.ofCode(kindCode);
    DataType newType = DataType.ofCode(typeCode);
    ReductionOp newOp = ReductionOp.ofCode(opCode);
    if (newKind == null || !isServed(newKind)) {
      return "operation " + kindCode + ", which no switch does";
    }
    if (newType == null || newOp == null || newOp == ReductionOp.AVG) {
      return "type " + typeCode + " with operator " + opCode + ", which no switch reduces";
    }
    if (!isZero(in, at)) {
      return "a descriptor whose reserved bytes are not zero";
    }
    long perRank = in.get(LONG, at + 16);
    long offset = in.get(LONG, at + 24);
    long bytes = in.get(LONG, at + 32);
    if (!isPossible(newKind, newType, newOp, perRank, offset, bytes, nranks)) {
      return ErrorText.of(
          "an impossible operation: %s of bytes %d+%d, %d per rank, %s %s, in a group of %d",
          newKind.label(), offset, bytes, perRank, newType.label(), newOp.label(), nranks);
    }
    set(newKind, in.get(LONG, at + 8), perRank, offset, bytes, newType, newOp);
    return null;
  }

  private static boolean isServed(Collective kind) {
    return kind == Collective.ALL_REDUCE
        || kind == Collective.ALL_GATHER
        || kind == Collective.REDUCE_SCATTER;
  }

  private static boolean isZero(MemorySegment in, long at) {
    if (in.get(ValueLayout.JAVA_BYTE, at + 7) != 0) {
      return false;
    }
    for (int i = RESERVED; i < BYTES; i += Long.BYTES) {
      if (in.get(LONG, at + i) != 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPossible(
      Collective kind,
      DataType type,
      ReductionOp op,
      long perRank,
      long offset,
      long bytes,
      int nranks) {
    if (perRank < 0 || offset < 0 || bytes < 0 || bytes > MOST_BYTES) {
      return false;
    }
    int size = type.size();
    return switch (kind) {
      case ALL_REDUCE -> perRank == 0 && offset == 0 && bytes % size == 0;
      case ALL_GATHER ->
          type == DataType.INT8
              && op == ReductionOp.SUM
              && isInside(perRank, offset, bytes, nranks);
      default ->
          (perRank | offset | bytes) % size == 0 // sizes are powers of two
              && isInside(perRank, offset, bytes, nranks);
    };
  }

  private static boolean isInside(long perRank, long offset, long bytes, int nranks) {
    return perRank <= Long.MAX_VALUE / nranks && bytes <= perRank * nranks - offset;
  }

  /**
   * Returns whether another child announced the same, byte for byte.
   *
   * @param one a message with a descriptor
   * @param oneAt its first byte
   * @param other another
   * @param otherAt its first byte
   * @return whether the descriptors are equal
   */
  public static boolean isSame(MemorySegment one, long oneAt, MemorySegment other, long otherAt) {
    for (int i = 0; i < BYTES; i += Long.BYTES) {
      if (one.get(LONG, oneAt + i) != other.get(LONG, otherAt + i)) {
        return false;
      }
    }
    return true;
  }

  /** {@return which of the three operations this is} */
  public Collective kind() {
    return kind;
  }

  /** {@return the type of the elements; of a gather INT8} */
  public DataType type() {
    return type;
  }

  /** {@return the operator; of a gather SUM, which means nothing} */
  public ReductionOp op() {
    return op;
  }

  /** {@return how many operations the group has had before this one} */
  public long sequence() {
    return sequence;
  }

  /** {@return the bytes of each rank in the whole; of an all-reduce 0} */
  public long bytesPerRank() {
    return bytesPerRank;
  }

  /** {@return the first byte of the window in the whole} */
  public long windowOffset() {
    return windowOffset;
  }

  /** {@return the length of the window in bytes} */
  public long windowBytes() {
    return windowBytes;
  }

  /** {@return whether a child's data follow in the same message} */
  public boolean isInline() {
    return windowBytes <= INLINE_BYTES;
  }

  /** Describes the operation, for errors. */
  @Override
  public String toString() {
    return switch (kind) {
      case ALL_REDUCE ->
          ErrorText.of(
              "%s of %d %s %s (operation %s)",
              kind.label(), windowBytes / type.size(), type.label(), op.label(), sequence);
      default ->
          ErrorText.of(
              "%s of bytes %s+%s, %s per rank%s (operation %s)",
              kind.label(),
              windowOffset,
              windowBytes,
              bytesPerRank,
              kind == Collective.ALL_GATHER ? "" : ", " + type.label() + " " + op.label(),
              sequence);
    };
  }
}
