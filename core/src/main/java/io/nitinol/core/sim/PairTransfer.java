// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim;

import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.sim.workload.CollectiveSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * One way of a batch between this rank and another one, as steps: the messages that {@code
 * PairSend} and {@code PairReceive} make of it. A transfer of no bytes is one empty message.
 */
final class PairTransfer implements Schedule {
  private static final int[] NOBODY = {};

  private final int peer;
  private final boolean sends;
  private final long bytes;
  private final int piece;

  PairTransfer(int peer, boolean sends, long bytes, int piece) {
    this.peer = peer;
    this.sends = sends;
    this.bytes = bytes;
    this.piece = piece;
  }

  /** Returns what a rank does in a collective that is made of sends and receives. */
  static List<PairTransfer> of(VirtualCommunicator comm, CollectiveSpec spec, int rank) {
    int n = comm.ranks();
    long each = spec.count(n) * CollectiveSpec.ELEMENT_BYTES;
    List<PairTransfer> receives = new ArrayList<>();
    List<PairTransfer> sends = new ArrayList<>();
    switch (spec.collective()) {
      case ALL_TO_ALL -> {
        for (int i = 1; i < n; i++) {
          sends.add(send(comm, rank, (rank + i) % n, each));
          receives.add(receive(comm, rank, (rank - i + n) % n, each));
        }
      }
      case GATHER -> {
        if (rank != spec.root()) {
          sends.add(send(comm, rank, spec.root(), each));
        } else {
          for (int from = 0; from < n; from++) {
            if (from != rank) {
              receives.add(receive(comm, rank, from, each));
            }
          }
        }
      }
      case SCATTER -> {
        if (rank != spec.root()) {
          receives.add(receive(comm, rank, spec.root(), each));
        } else {
          for (int to = 0; to < n; to++) {
            if (to != rank) {
              sends.add(send(comm, rank, to, each));
            }
          }
        }
      }
      case SEND_RECV -> {
        int distance = Math.floorMod(spec.root(), n);
        if (distance != 0) {
          sends.add(send(comm, rank, (rank + distance) % n, each));
          receives.add(receive(comm, rank, (rank - distance + n) % n, each));
        }
      }
      default -> throw new IllegalArgumentException(spec.collective().label() + " is not of pairs");
    }
    receives.addAll(sends); // the engine begins with what it receives
    return receives;
  }

  private static PairTransfer send(VirtualCommunicator comm, int rank, int to, long bytes) {
    return new PairTransfer(to, true, bytes, comm.pairBytes(rank, to));
  }

  private static PairTransfer receive(VirtualCommunicator comm, int rank, int from, long bytes) {
    return new PairTransfer(from, false, bytes, comm.pairBytes(rank, from));
  }

  int peer() {
    return peer;
  }

  boolean sends() {
    return sends;
  }

  @Override
  public int[] sendPeers() {
    return sends ? new int[] {peer} : NOBODY;
  }

  @Override
  public int[] recvPeers() {
    return sends ? NOBODY : new int[] {peer};
  }

  @Override
  public void plan(long count, int elementBytes, int root, int channels) {}

  @Override
  public long steps() {
    return Math.max(1, Math.ceilDiv(bytes, piece));
  }

  @Override
  public void step(long index, Step into) {
    Schedule.checkIndex(index, steps());
    long offset = index * piece;
    long count = Math.min(piece, bytes - offset);
    if (sends) {
      into.begin(StepKind.SEND, count).at(offset).to(peer);
    } else {
      into.begin(StepKind.RECV, count).at(offset).from(peer);
    }
  }

  @Override
  public long receives(int from) {
    return sends || from != peer ? 0 : steps();
  }
}
