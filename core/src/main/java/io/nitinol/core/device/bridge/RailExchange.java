// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.CommException;
import io.nitinol.core.setup.AssembledComm;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.Connectors.Use;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.net.DirectLink;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What the two ranks of a rail have agreed on: that they exchange slots directly, and which
 * reductions both devices combine. The same on both.
 */
@OneThread
final class RailExchange {
  private static final ReductionOp[] OPERATORS = ReductionOp.values();

  /** A connection that both ends have begun has the limit to itself, so that its error comes. */
  private static final int GRACE_SECONDS = 3;

  private static final long POLL_NANOS = 100_000;

  private final DirectRail rail;
  private final BitSet combined;

  private RailExchange(DirectRail rail, BitSet combined) {
    this.rail = rail;
    this.combined = combined;
  }

  /** Returns what this rank tells the other one: which reductions its device combines. */
  static byte[] offer(DeviceKernels kernels) {
    BitSet combined = new BitSet();
    for (DataType type : DataType.values()) {
      for (ReductionOp op : OPERATORS) {
        DeviceReduction reduction = DeviceReduction.of(type, op, 1);
        combined.set(place(reduction), op != ReductionOp.AVG && kernels.supports(reduction));
      }
    }
    return combined.toByteArray();
  }

  private static int place(DeviceReduction reduction) {
    return reduction.type().ordinal() * OPERATORS.length + reduction.op().ordinal();
  }

  /**
   * Connects with the other rank, which calls this too.
   *
   * @param mine what {@link #offer} has returned here
   * @param theirs the same of the other rank
   * @return null where this rank cannot exchange slots directly, of which the other one knows
   *     nothing
   * @throws CommException TIMEOUT where the other rank does not come within {@code
   *     NITINOL_BOOTSTRAP_TIMEOUT}; otherwise why the communicator has failed
   */
  static @Nullable RailExchange connect(
      HostSide host, BridgeMemory memory, byte[] mine, byte[] theirs) {
    AssembledComm comm = host.rail();
    int peer = 1 - comm.rank();
    Connectors links = comm.engine().links();
    int seconds = comm.connectSeconds();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds + GRACE_SECONDS);
    SendConnector send = links.sender(peer, 0, Use.DIRECT);
    ReceiveConnector receive = links.receiver(peer, 0, Use.DIRECT);
    while (send == null || receive == null) {
      comm.engine().failures().check();
      if (System.nanoTime() - deadline >= 0) {
        throw new CommException(
            ResultCode.TIMEOUT,
            peer,
            ErrorText.of(
                "rank %d has not connected the slots of its device within %d s;"
                    + " NITINOL_BOOTSTRAP_TIMEOUT sets the limit%s",
                peer, seconds, links.connecting(peer)),
            null);
      }
      LockSupport.parkNanos(links, POLL_NANOS);
      send = links.sender(peer, 0, Use.DIRECT);
      receive = links.receiver(peer, 0, Use.DIRECT);
    }
    DirectLink link = DirectLink.of(send, receive, memory.slots(), DirectRail.MOST_BYTES);
    if (link == null) {
      return null;
    }
    BitSet combined = BitSet.valueOf(mine);
    combined.and(BitSet.valueOf(theirs));
    long stall = comm.engine().stallNanos();
    return new RailExchange(
        new DirectRail(comm.rank(), link, memory, comm.engine().failures(), stall), combined);
  }

  DirectRail rail() {
    return rail;
  }

  /** Returns whether the devices of both ranks combine by a reduction that only combines. */
  boolean combines(DeviceReduction plain) {
    return combined.get(place(plain));
  }
}
