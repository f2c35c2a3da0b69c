// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import io.nitinol.core.shm.RegionHandle;
import io.nitinol.core.shm.SharedRegion;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a team: the first member creates the memory and tells the others, each maps it and
 * allocates its own part, and the team is there when all have. Moves on only when it is polled and
 * never waits; the caller, which polls, has a bound.
 */
@OneThread
public final class TeamSetup implements AutoCloseable {
  /** Sends a message out of band. */
  @FunctionalInterface
  public interface Sender {
    /** Sends {@code message}, of fewer than 200 bytes, to the member of rank {@code rank}. */
    void send(int rank, byte[] message);
  }

  /** Receives a message out of band. */
  @FunctionalInterface
  public interface Receiver {
    /** Returns the message from the member of rank {@code rank}; null if it has not come yet. */
    byte @Nullable [] poll(int rank);
  }

  private final TeamPlan plan;
  private final TeamLayout layout;
  private final ShmDirectory directory;
  private final Sender sender;
  private final Receiver receiver;
  private @Nullable SharedRegion region;
  private boolean done;

  /**
   * Plans a team; nothing is done before the first poll.
   *
   * @param directory where the file is made if it takes one
   * @param sender is called by the first member, once for each other one, from {@link #poll}
   * @param receiver is called by the other members for the first one's rank, from {@link #poll}
   */
  public TeamSetup(TeamPlan plan, ShmDirectory directory, Sender sender, Receiver receiver) {
    this.plan = plan;
    this.layout = plan.layout();
    this.directory = directory;
    this.sender = sender;
    this.receiver = receiver;
  }

  /**
   * Moves on; returns the team once it is there, which is then the caller's to close. Not to be
   * called again after that.
   *
   * @throws NetException SYSTEM_ERROR when there is no memory to be had, REMOTE_ERROR when the rank
   *     that offers it has withdrawn it, INVALID_USAGE when the members have different plans; the
   *     setup is to be closed then
   */
  public @Nullable Team poll() {
    SharedRegion mine = region;
    if (mine == null) {
      mine = plan.index() == 0 ? create() : join();
      if (mine == null) {
        return null;
      }
    }
    if (!mine.completeIfArrived()) {
      return null;
    }
    done = true;
    mine.prefault();
    return new Team(mine, plan, layout);
  }

  private SharedRegion create() {
    int members = plan.ranks().size();
    SharedRegion created =
        plan.oneProcess()
            ? SharedRegion.createLocal(layout.bytes(), members, Team.Shared.of(plan))
            : SharedRegion.createFile(directory, layout.bytes(), members);
    region = created; // closed from now on, whatever happens
    settle(created);
    byte[] handle = created.handle().toBytes();
    byte[] message =
        ByteBuffer.allocate(Long.BYTES + handle.length)
            .putLong(layout.fingerprint())
            .put(handle)
            .array();
    for (int member = 1; member < members; member++) {
      sender.send(plan.ranks().get(member), message.clone());
    }
    return created;
  }

  private @Nullable SharedRegion join() {
    int first = plan.ranks().getFirst();
    byte[] message = receiver.poll(first);
    if (message == null) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(message);
    if (message.length < Long.BYTES) {
      throw new NetException(
          ResultCode.INTERNAL_ERROR,
          "rank " + first + " describes shared memory in " + message.length + " bytes");
    }
    long fingerprint = in.getLong();
    byte[] rest = new byte[in.remaining()];
    in.get(rest);
    RegionHandle handle = RegionHandle.of(rest);
    if (fingerprint != layout.fingerprint() || handle.size() != layout.bytes()) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "rank %s wants another shape of shared memory, %s, than rank %s, %s in %s bytes; "
                  + "NCCL_BUFFSIZE and its like must be the same for all ranks",
              first, handle, plan.ranks().get(plan.index()), layout, layout.bytes()));
    }
    SharedRegion joined = SharedRegion.open(directory, handle, plan.ranks().size());
    region = joined;
    settle(joined);
    return joined;
  }

  private void settle(SharedRegion mapped) {
    mapped.allocate(layout.part(plan.index()), layout.partBytes());
    mapped.arrive(plan.index());
  }

  /**
   * Returns the rank of a member that has not begun its part, as far as this one can see; -1 where
   * all have. Not after the team was returned, or {@link #close}.
   */
  public int missing() {
    SharedRegion mine = region;
    for (int member = 0; member < plan.ranks().size(); member++) {
      // Without the first one's message nothing is known of the others.
      if (member != plan.index() && (mine == null || !mine.hasArrived(member))) {
        return plan.ranks().get(member);
      }
    }
    return -1;
  }

  /** Gives up; a team that has been returned lives on. May be called again. */
  @Override
  public void close() {
    if (!done && region != null) {
      region.close();
    }
  }
}
