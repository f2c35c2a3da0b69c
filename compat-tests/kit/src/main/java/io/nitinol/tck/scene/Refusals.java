// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetSession;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls that a plugin has to refuse. A plugin without room may answer null before it looks at
 * the arguments, so such a call is repeated.
 */
public final class Refusals {
  private final NetSession session;
  private final Runnable meanwhile;

  public Refusals(NetSession session) {
    this(session, () -> {});
  }

  /**
   * Creates one that does something while the answer is null.
   *
   * @param meanwhile what moves the operations on that are in flight
   */
  public Refusals(NetSession session, Runnable meanwhile) {
    this.session = session;
    this.meanwhile = meanwhile;
  }

  /** Checks that a send with these arguments is refused. */
  public void isend(String what, NetConnection on, MemoryHandle mr, long offset, long length) {
    refused(
        "isend " + what, () -> on.sender().isend(on.send(), mr, offset, length, SlotTraffic.TAG));
  }

  /** Checks that a receive of one piece with these arguments is refused. */
  public void irecv(String what, NetConnection on, MemoryHandle mr, long offset, long length) {
    irecv(
        what,
        on,
        1,
        new MemoryHandle[] {mr},
        new long[] {offset},
        new long[] {length},
        new int[] {SlotTraffic.TAG});
  }

  /** Checks that a receive with these arguments is refused. */
  public void irecv(
      String what,
      NetConnection on,
      int n,
      MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      int[] tags) {
    refused("irecv " + what, () -> on.receiver().irecv(on.recv(), n, mrs, offsets, lengths, tags));
  }

  /** Checks that a flush with these arguments is refused. */
  public void iflush(
      String what, NetConnection on, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    session.expect(
        "iflush " + what,
        () -> on.receiver().iflush(on.recv(), n, mrs, offsets, lengths),
        ResultCode.INVALID_ARGUMENT);
  }

  private void refused(String what, Supplier<@Nullable Request> call) {
    session.expect(
        what,
        () ->
            session.await(
                session.terms().rule(),
                what + " to be refused: it is always null",
                () -> {
                  if (call.get() != null) {
                    return true;
                  }
                  meanwhile.run();
                  return false;
                }),
        ResultCode.INVALID_ARGUMENT);
  }

  /** The pieces of memory that are not inside a registration of {@code size} bytes. */
  public interface OutOfBounds {
    void with(String what, long offset, long length);
  }

  /** Goes through the ways in which a piece can be outside its registration. */
  public static void outside(long size, OutOfBounds test) {
    long[][] cases = {
      {-1, 16},
      {0, -1},
      {0, size + 1},
      {0, size + 16},
      {1, size},
      {size - 15, 16},
      {size, 1},
      {size, 16},
      {size + 1, 0},
      {Long.MIN_VALUE, 16},
      {0, Long.MIN_VALUE},
      {Long.MAX_VALUE, 16},
      {16, Long.MAX_VALUE},
      {Long.MAX_VALUE, Long.MAX_VALUE},
      {1L << 32, 16},
      {0, (1L << 32) + 16},
      {Integer.MAX_VALUE, Integer.MAX_VALUE},
    };
    for (long[] piece : cases) {
      test.with(
          "of " + piece[1] + " bytes at " + piece[0] + " of " + size + " registered ones",
          piece[0],
          piece[1]);
    }
  }
}
