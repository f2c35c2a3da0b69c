// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.progress.task.PairTransfers;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends and receives: those within the team are one transfer of the team, those with other ranks go
 * through pinned memory that is <b>as large as all of them together</b>, and grows to that on
 * demand. Between the two ranks of a rail that have connections of their own they use those, the
 * others are one batch of the communicator of all ranks.
 *
 * <p>In the stream what goes out comes first, then the transfer of the team, then what comes in: so
 * what other ranks need of a call never stands behind what this rank waits for. A call that only
 * sends is not waited for, as long as the memory has room for more: behind that, the stream waits
 * until what was sent before has left. NCCL's waits for that in any case.
 */
final class RemoteTransfers implements Crossing.Steps {
  private final BridgeParts parts;
  private final TeamPlaces places;
  private final BridgeChunks chunks = new BridgeChunks();
  private final List<TeamTransfer> near = new ArrayList<>();
  private final List<TeamTransfer> far = new ArrayList<>();
  private final List<TeamTransfer> direct = new ArrayList<>();

  /** Where the bytes of {@code far} go through. */
  private final List<MemorySegment> staged = new ArrayList<>();

  /** What goes over the rail's own connections, of the call that is put into a stream. */
  private @Nullable RailTransfers own;

  /** How many pieces all calls have sent so far, and received. */
  private long sent;

  private long received;

  /** The memory of the last call, where what it uses of that ends, and its chunk. */
  private MemorySegment area = MemorySegment.NULL;

  private long used;
  private long last;

  /** The chunk whose memory is used again; 0 for none. */
  private long reused;

  RemoteTransfers(BridgeParts parts, TeamPlaces places) {
    this.parts = parts;
    this.places = places;
  }

  /** Puts sends and receives into a stream. */
  void run(DeviceStream stream, List<TeamTransfer> transfers) {
    sort(transfers);
    requireSelfMatched();
    if (far.isEmpty() && direct.isEmpty()) {
      runNear(stream);
      return;
    }
    RailTransfers pieces = direct.isEmpty() ? null : new RailTransfers(sent, received, chunks);
    long size = 0;
    for (TeamTransfer each : far) {
      size += BridgeMemory.aligned(each.size());
    }
    if (pieces != null) {
      for (Direction direction : Direction.values()) { // what comes lies behind what goes
        for (TeamTransfer each : direct) {
          size = each.direction() == direction ? pieces.add(each, size) : size;
        }
      }
      sent = pieces.sent();
      received = pieces.received();
    }
    long base = reserve(size);
    if (pieces != null) {
      pieces.place(area, base);
    }
    own = pieces;
    parts.crossing().transfers(stream, this, far.isEmpty() ? null : batch(base), pieces);
  }

  /**
   * Finds memory for a call, which may be that of calls before: behind the wait for them if there
   * is none. What only sends is not waited for, as long as there is other memory.
   *
   * @return where it begins in {@link #area}
   */
  private long reserve(long size) {
    MemorySegment memory = parts.memory().area(size);
    reused = 0;
    long base = used;
    if (!memory.equals(area) || parts.crossing().isAwaited(last)) {
      base = 0;
    } else if (size > BridgeMemory.areaBytes(memory) - used) {
      reused = last;
      base = 0;
    }
    area = memory;
    used = base + size;
    return base;
  }

  private PairTransfers batch(long base) {
    PairTransfers batch = new PairTransfers(places.size());
    staged.clear();
    long at = base;
    for (TeamTransfer each : far) {
      MemorySegment piece = area.asSlice(at, each.size());
      at += BridgeMemory.aligned(each.size());
      staged.add(piece);
      if (each.direction() == Direction.SEND) {
        batch.send(each.peer(), piece, each.size());
      } else {
        batch.receive(each.peer(), piece, each.size());
      }
    }
    return batch;
  }

  /** Puts an all-to-all into a stream. */
  void allToAll(DeviceStream stream, long src, long dst, long size) {
    List<TeamTransfer> transfers = new ArrayList<>(2 * places.size());
    for (int r = 0; r < places.size(); r++) {
      transfers.add(new TeamTransfer(Direction.SEND, r, src + r * size, size));
      transfers.add(new TeamTransfer(Direction.RECEIVE, r, dst + r * size, size));
    }
    run(stream, transfers);
  }

  private void sort(List<TeamTransfer> transfers) {
    near.clear();
    far.clear();
    direct.clear();
    Grid grid = parts.grid();
    for (TeamTransfer each : transfers) {
      if (each.peer() >= places.size()) {
        throw new DeviceException(
            DeviceFailure.INVALID_ARGUMENT,
            ErrorText.of(
                "transfer: peer is %d; expected a rank from 0 to %d",
                each.peer(), places.size() - 1));
      }
      if (places.teams().get(each.peer()) == places.team()) {
        int index = places.indices().get(each.peer());
        near.add(new TeamTransfer(each.direction(), index, each.address(), each.size()));
      } else if (parts.exchanges() && grid.columnOf(each.peer()) == grid.column()) {
        direct.add(each);
      } else {
        far.add(each);
      }
    }
  }

  /** Finds before anything is put in what the team would refuse behind the first copies. */
  private void requireSelfMatched() {
    List<Long> sent = ownSizes(Direction.SEND);
    List<Long> received = ownSizes(Direction.RECEIVE);
    if (!sent.equals(received)) {
      throw new DeviceException(
          DeviceFailure.INVALID_ARGUMENT,
          ErrorText.of(
              "rank %d sends %s bytes to itself and receives %s; expected the same",
              places.rank(), sent, received));
    }
  }

  private List<Long> ownSizes(Direction direction) {
    List<Long> sizes = new ArrayList<>();
    for (TeamTransfer each : near) {
      if (each.peer() == places.index() && each.direction() == direction) {
        sizes.add(each.size());
      }
    }
    return sizes;
  }

  private void runNear(DeviceStream stream) {
    if (!near.isEmpty()) {
      parts.local().transfer(stream, near);
    }
  }

  @Override
  public void out(DeviceStream stream, long chunk, long number) {
    last = number;
    if (reused > 0) {
      parts.crossing().await(stream, reused);
    }
    for (int i = 0; i < far.size(); i++) {
      TeamTransfer each = far.get(i);
      if (each.direction() == Direction.SEND) {
        stream.copy(staged.get(i).address(), each.address(), each.size());
      }
    }
    if (own == null) {
      parts.crossing().ready(stream, number);
    } else {
      takeOut(stream, own, number);
    }
    runNear(stream);
  }

  @Override
  public void in(DeviceStream stream, long chunk, long number) {
    if (own != null) {
      takeIn(stream, own, number);
      own = null;
    }
    for (int i = 0; i < far.size(); i++) {
      TeamTransfer each = far.get(i);
      if (each.direction() == Direction.RECEIVE) {
        parts.crossing().await(stream, number);
        stream.copy(each.address(), staged.get(i).address(), each.size());
      }
    }
  }

  /** Takes what is sent to pinned memory, and tells after each group that it is there. */
  private void takeOut(DeviceStream stream, RailTransfers transfers, long number) {
    Crossing crossing = parts.crossing();
    RailTransfers.Pieces sends = transfers.sends();
    for (int i = 0, next; i < sends.size; i = next) {
      next = sends.together(i);
      long there = transfers.address(sends, i);
      parts.copySoon(stream, there, sends.addresses[i], sends.length(i, next));
      if (next == sends.groups[0]) {
        crossing.ready(stream, number);
      } else if (next == sends.groups[i]) {
        crossing.staged(stream, sends.before + next);
      }
    }
    if (sends.size == 0) {
      crossing.ready(stream, number);
    }
  }

  /** Takes what is received to its place, each group once it has come. */
  private void takeIn(DeviceStream stream, RailTransfers transfers, long number) {
    Crossing crossing = parts.crossing();
    RailTransfers.Pieces receives = transfers.receives();
    int group = 0;
    for (int i = 0, next; i < receives.size; i = next) {
      next = receives.together(i);
      if (i == group) {
        group = receives.groups[i];
        if (group == receives.size) {
          crossing.await(stream, number); // all of the call, so that its memory is free again
        } else {
          crossing.awaitPieces(stream, receives.before + group);
        }
      }
      long there = transfers.address(receives, i);
      parts.copySoon(stream, receives.addresses[i], there, receives.length(i, next));
    }
  }
}
