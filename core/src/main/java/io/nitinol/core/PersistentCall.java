// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.PreparedCall;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;

/**
 * A collective with its buffers, made once by {@link PersistentCalls} and started often; mirrors a
 * persistent request of MPI 4. Each start is one operation of the communicator, in the order of all
 * its operations, and is done like any other.
 *
 * <p>The buffers are in use from each start until its operation is done; between two operations the
 * application reads and writes them. They must not be freed before {@link #close}.
 */
@AnyThread
public final class PersistentCall implements AutoCloseable {
  private final PreparedCall call;
  private final Work work;

  PersistentCall(PreparedCall call) {
    this.call = call;
    this.work = Work.of(call);
  }

  /**
   * Starts the collective; mirrors {@code MPI_Start}. Returns once it is submitted, and allocates
   * nothing unless a profiler listens.
   *
   * @return always the same object, which stands for the operation that was started last
   * @throws CommException INVALID_USAGE, with nothing started, where the operation of the last
   *     start is not done, another thread is starting it, this or the communicator is closed, or
   *     the thread is in a {@link Group}; INVALID_ARGUMENT where a buffer has been freed; another
   *     code where the communicator has failed
   */
  public Work start() {
    if (Group.current() != null) {
      throw new CommException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s: a persistent call is started within a group, which does not take it; end the"
                  + " group first, or make the plain call in it",
              call.call()));
    }
    call.start();
    return work;
  }

  /**
   * Refuses further starts and lets go of the buffers; mirrors {@code MPI_Request_free}. Does not
   * wait for an operation: one under way goes on, uses its buffers, and its work can still be
   * waited for. Waits for another thread that is within {@link #start}, so that none begins later.
   * Closing twice does nothing; a communicator may be closed before its persistent calls.
   */
  @Override
  public void close() {
    call.close();
  }
}
