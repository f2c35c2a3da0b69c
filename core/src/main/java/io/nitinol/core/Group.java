// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.GroupCalls;
import io.nitinol.spi.ResultCode;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one thread that are submitted together; mirrors {@code ncclGroupStart} and {@code
 * ncclGroupEnd}. Between start and end all calls of this thread, to any communicators, are only
 * collected; the end submits them and does not wait for them.
 *
 * <pre>{@code
 * try (Group group = Group.start()) {
 *   communicator.send(out, count, DataType.FLOAT32, next);
 *   received = communicator.recv(in, count, DataType.FLOAT32, previous);
 * }
 * received.await();
 * }</pre>
 *
 * <p>Groups nest; only the end of the outermost one submits. What each communicator gets then:
 *
 * <ul>
 *   <li>first all its sends and receives, and the calls made of them (alltoall, gather, scatter),
 *       as one operation, which no order of them can deadlock;
 *   <li>then its collectives in the order in which they were called. All-reduces of at most 8 KiB,
 *       of one type and operator and called one after the other, are done as one, up to 64 KiB
 *       together. So all ranks must call the same collectives in the same groups.
 * </ul>
 *
 * <p>No buffer that one call of a group writes may be used by another call of it.
 *
 * <p><b>Mistakes.</b> A wrong argument is not reported by the call but by the end of the outermost
 * group, with a {@link CommException} that lists each call with its mistake. Nothing of the group
 * is submitted then, to none of its communicators; the {@link Work}s of its calls are of no use;
 * the communicators work on. The same holds where a communicator of the group turns out to have
 * failed or to be closed. Only a communicator that fails while the end submits, or a thread that
 * would have to wait for itself (see {@link Communicator#initAll(int, CommConfig)}), can leave a
 * group submitted in part, and the exception says so.
 *
 * <p>An exception thrown between start and end ends the group as well, and so submits what was
 * called before it; {@link #run} does not, and {@link #discard} prevents it.
 */
public final class Group implements AutoCloseable {
  private static final ThreadLocal<@Nullable GroupCalls> CURRENT = new ThreadLocal<>();

  private final GroupCalls calls;
  private final int depth;

  private Group(GroupCalls calls) {
    this.calls = calls;
    this.depth = calls.open();
  }

  /** Starts a group of the calling thread, within the one that it may be in. */
  public static Group start() {
    GroupCalls calls = CURRENT.get();
    if (calls == null) {
      calls = new GroupCalls(Thread.currentThread());
      CURRENT.set(calls);
    }
    return new Group(calls);
  }

  /**
   * Ends the innermost group of the calling thread, for code that does not hold the object.
   *
   * @throws CommException INVALID_USAGE when there is none; else as {@link #close}
   */
  public static void end() {
    GroupCalls calls = CURRENT.get();
    if (calls == null) {
      throw new CommException(
          ResultCode.INVALID_USAGE, "Group.end: this thread has started no group");
    }
    end(calls);
  }

  /**
   * Runs {@code body} in a group, and discards the group where the body throws.
   *
   * @throws CommException as {@link #close}
   */
  public static void run(Runnable body) {
    Group group = start();
    try {
      body.run();
    } catch (Throwable e) {
      group.discard();
      group.close();
      throw e;
    }
    group.close();
  }

  /** Returns the calls of this thread's group, or null where it is in none. */
  static @Nullable GroupCalls current() {
    return CURRENT.get();
  }

  private static void end(GroupCalls calls) {
    if (calls.leave()) {
      CURRENT.remove();
      calls.submit();
    }
  }

  /**
   * Makes the outermost group submit nothing, neither what was called in it nor what still will be.
   */
  public void discard() {
    calls.discard();
  }

  /**
   * Ends the group. May be called again, which does nothing.
   *
   * @throws CommException the mistakes of the group's calls; INVALID_USAGE where a group within
   *     this one has not ended, or another thread has started it, which ends nothing
   */
  @Override
  public void close() {
    if (calls.isOpen(depth)) {
      end(calls);
    }
  }
}
