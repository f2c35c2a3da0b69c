// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.Tags;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.call.Calls;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.progress.Engine;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a communicator that is set up: what {@code io.nitinol.core.Communicator} is the front
 * of, which documents the methods of the same names.
 *
 * @param description one line about network, channels and buffers, for reports
 * @param engine does the operations
 * @param calls takes the application's calls
 * @param bootstrap connects the ranks out of band
 * @param splitAndShrink makes communicators out of the ranks of this one
 * @param peers who the ranks are, by rank
 * @param resources everything that {@link #close} gives back
 */
@AnyThread
public record AssembledComm(
    String description,
    Engine engine,
    Calls calls,
    Bootstrap bootstrap,
    SplitAndShrink splitAndShrink,
    List<PeerInfo> peers,
    CommResources resources) {
  private static final Duration FOR_EVER = Duration.ofDays(36_500); // still nanoseconds of a long

  /** Returns this rank, from 0. */
  public int rank() {
    return bootstrap.rank();
  }

  /** Returns how many ranks there are. */
  public int size() {
    return bootstrap.size();
  }

  /** Makes an id for a communicator that begins with these ranks; its root is in this process. */
  public UniqueId childId(Settings settings) {
    try {
      return bootstrap.childId(settings);
    } catch (BootstrapException e) {
      throw splitAndShrink.failure(e);
    }
  }

  /** Makes a communicator out of all ranks but the {@code excluded} ones. */
  public AssembledComm shrink(int... excluded) {
    if (resources.isClosed()) {
      throw new CommException(ResultCode.INVALID_USAGE, "shrink: the communicator is closed");
    }
    return splitAndShrink.shrink(excluded);
  }

  /** Makes a communicator of {@code size} ranks, of which these are the first. */
  public AssembledComm grow(UniqueId id, int size) {
    return splitAndShrink.grow(id, size);
  }

  /** Gives every rank some bytes of every rank. */
  public byte[][] exchange(byte[] mine) {
    try {
      return bootstrap.allGather(mine);
    } catch (BootstrapException e) {
      throw splitAndShrink.failure(e);
    }
  }

  /** As the other exchange, apart from the calls of those that give another tag. */
  public byte[][] exchange(int tag, byte[] mine) {
    try {
      return bootstrap.allGather(IntStream.range(0, size()).toArray(), tag, mine);
    } catch (BootstrapException e) {
      throw splitAndShrink.failure(e);
    }
  }

  /** Returns how long another rank may take to connect ({@code NITINOL_BOOTSTRAP_TIMEOUT}). */
  public int connectSeconds() {
    return splitAndShrink.connectSeconds();
  }

  /** Returns the settings that the communicator was made with. */
  public Settings settings() {
    return splitAndShrink.settings();
  }

  /** Allocates memory that operations work on in place where they can; all ranks at once. */
  public MemorySegment allocate(long bytes) {
    if (bytes <= 0) {
      throw BufferCheck.invalid("allocate", "bytes", Long.toString(bytes), "1 or more");
    }
    if (resources.isClosed()) {
      throw new CommException(ResultCode.INVALID_USAGE, "allocate: the communicator is closed");
    }
    try {
      return resources.buffers().allocate(bytes);
    } catch (BootstrapException e) {
      throw splitAndShrink.failure(e);
    }
  }

  /** Returns where each operation stands, in human-readable lines. */
  public String dump() {
    return EngineDump.of(engine);
  }

  /** Returns why the communicator has failed, or null while it has not. */
  public @Nullable CommException asyncError() {
    return engine.failures().get();
  }

  /** Fails the communicator on all ranks. */
  public void abort() {
    CommException aborted = SetupAbort.failure(rank(), null);
    engine.failures().fail(aborted);
    splitAndShrink.abort(String.valueOf(aborted.getMessage()));
  }

  /** Refuses further calls and waits until all ranks have done what was called. */
  public void finish() {
    calls.end();
    while (!engine.drain(TimeUnit.SECONDS.toNanos(1))) {
      engine.check(); // ends with what the others do: the engine's own limit is on silence
    }
    engine.check();
    try {
      bootstrap.barrier(Tags.FINISH, finishLimit());
    } catch (BootstrapException e) {
      throw splitAndShrink.failure(e);
    }
  }

  /**
   * Returns how long this rank waits for others that have not finished: they may be calculating, as
   * before an operation, for which {@code NITINOL_TIMEOUT} is the limit.
   */
  private Duration finishLimit() {
    int seconds = settings().get(CoreVariables.TIMEOUT);
    return seconds == 0 ? FOR_EVER : Duration.ofSeconds(Math.max(seconds, connectSeconds()));
  }

  /** Leaves the group and frees everything. */
  public void close() {
    resources.close();
  }
}
