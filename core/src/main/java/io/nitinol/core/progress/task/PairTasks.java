// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

import io.nitinol.core.recording.TransferRecorder;
import io.nitinol.toolkit.thread.OneThread;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of batches with the peers of one executor: one per peer and direction, made when they
 * are first needed.
 */
@OneThread
public final class PairTasks {
  private final ChannelShare share;
  private final ActiveConnectors connectors;
  private final @Nullable PairSend[] sends;
  private final @Nullable PairReceive[] receives;
  private final SelfCopy self;
  private @Nullable TransferRecorder recorder;

  /** The tasks of the batch that was begun last. */
  private Task[] tasks = new Task[4];

  private int count;
  private boolean networked;

  public PairTasks(ChannelShare share, ActiveConnectors connectors) {
    this.share = share;
    this.connectors = connectors;
    this.sends = new @Nullable PairSend[share.size()];
    this.receives = new @Nullable PairReceive[share.size()];
    this.self = new SelfCopy(share.rank());
  }

  /** Tells a recorder what goes from rank to rank; before anything begins. */
  public void record(TransferRecorder by) {
    recorder = by;
  }

  /**
   * Begins a batch; each task looks for its connection by itself.
   *
   * @param number the operation's
   */
  public void begin(PairTransfers batch, long number) {
    count = 0;
    networked = false;
    List<PairTransfers.Side> ins = batch.receives();
    for (int i = 0; i < ins.size(); i++) {
      PairTransfers.Side in = ins.get(i);
      if (in.peer() != share.rank() && isMine(in.peer())) {
        PairReceive task = receiver(in.peer());
        task.begin(in);
        networked |= task.isNetworked();
        add(task);
      }
    }
    List<PairTransfers.Side> outs = batch.sends();
    for (int i = 0; i < outs.size(); i++) {
      PairTransfers.Side out = outs.get(i);
      if (out.peer() != share.rank() && isMine(out.peer())) {
        PairSend task = sender(out.peer());
        task.begin(out, number);
        networked |= task.isNetworked();
        add(task);
      }
    }
    PairTransfers.Side out = batch.sendsTo(share.rank());
    PairTransfers.Side in = batch.receivesFrom(share.rank());
    if (out != null && in != null && isMine(share.rank())) {
      self.begin(out, in);
      add(self);
    }
  }

  private boolean isMine(int peer) {
    return share.has(share.pairChannel(peer));
  }

  private PairSend sender(int peer) {
    PairSend task = sends[peer];
    if (task == null) {
      task = new PairSend(connectors, share.rank(), peer, share.pairChannel(peer), recorder);
      sends[peer] = task;
    }
    return task;
  }

  private PairReceive receiver(int peer) {
    PairReceive task = receives[peer];
    if (task == null) {
      task = new PairReceive(connectors, share.rank(), peer, share.pairChannel(peer));
      receives[peer] = task;
    }
    return task;
  }

  private void add(Task task) {
    if (count == tasks.length) {
      tasks = Arrays.copyOf(tasks, 2 * count);
    }
    tasks[count++] = task;
  }

  /** Returns the tasks of the batch that was begun last, {@link #count} of them. */
  public Task[] tasks() {
    return tasks;
  }

  public int count() {
    return count;
  }

  /** Returns whether any of the tasks that were begun last may need the network. */
  public boolean isNetworked() {
    return networked;
  }
}
