// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.core.CommException;
import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.setup.AssembledComm;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.Connectors.Use;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.net.DirectLink;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
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

  /** For so many processors of a rank three connections: two whose threads copy, and the first. */
  private static final int SOME_PROCESSORS = 8;

  /** For so many five. A thread copies about 3 GB/s one way. */
  private static final int MANY_PROCESSORS = 16;

  private final DirectRails rails;
  private final BitSet combined;

  private RailExchange(DirectRails rails, BitSet combined) {
    this.rails = rails;
    this.combined = combined;
  }

  /**
   * Returns what this rank tells the other one: how many connections it can drive, in a byte, and
   * which reductions its device combines.
   *
   * @param processors of this host, for each rank there
   */
  static byte[] offer(DeviceKernels kernels, HostSide host, int processors) {
    int asked = host.rail().settings().get(CoreVariables.RAIL_CONNECTIONS);
    int connections = asked > 0 ? asked : connections(processors);
    BitSet combined = new BitSet();
    for (DataType type : DataType.values()) {
      for (ReductionOp op : OPERATORS) {
        DeviceReduction reduction = DeviceReduction.of(type, op, 1);
        combined.set(place(reduction), op != ReductionOp.AVG && kernels.supports(reduction));
      }
    }
    byte[] reductions = combined.toByteArray();
    byte[] offer = new byte[1 + reductions.length];
    offer[0] = (byte) connections;
    System.arraycopy(reductions, 0, offer, 1, reductions.length);
    return offer;
  }

  private static int connections(int processors) {
    return processors >= MANY_PROCESSORS ? 5 : processors >= SOME_PROCESSORS ? 3 : 1;
  }

  private static int connections(byte[] offer) {
    return offer.length == 0 ? 1 : Math.max(1, offer[0]);
  }

  private static BitSet combined(byte[] offer) {
    return BitSet.valueOf(Arrays.copyOfRange(offer, Math.min(1, offer.length), offer.length));
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
    int count = Math.min(connections(mine), connections(theirs));
    for (int i = 0; i < count; i++) { // all begin to connect
      links.sender(peer, i, Use.DIRECT);
      links.receiver(peer, i, Use.DIRECT);
    }
    List<DirectRail> made = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        DirectLink link = connect(comm, peer, i, memory, deadline);
        if (link == null) {
          DirectRails.close(made);
          return null;
        }
        CommFailures failures = comm.engine().failures();
        long stall = comm.engine().stallNanos();
        made.add(new DirectRail(comm.rank(), link, failures, stall));
      }
    } catch (RuntimeException | Error e) {
      try {
        DirectRails.close(made);
      } catch (NetException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
    BitSet combined = combined(mine);
    combined.and(combined(theirs));
    return new RailExchange(new DirectRails(made, memory), combined);
  }

  private static @Nullable DirectLink connect(
      AssembledComm comm, int peer, int channel, BridgeMemory memory, long deadline) {
    Connectors links = comm.engine().links();
    SendConnector send = links.sender(peer, channel, Use.DIRECT);
    ReceiveConnector receive = links.receiver(peer, channel, Use.DIRECT);
    while (send == null || receive == null) {
      comm.engine().failures().check();
      if (System.nanoTime() - deadline >= 0) {
        throw new CommException(
            ResultCode.TIMEOUT,
            peer,
            ErrorText.of(
                "rank %d has not connected the slots of its device within %d s;"
                    + " NITINOL_BOOTSTRAP_TIMEOUT sets the limit%s",
                peer, comm.connectSeconds(), links.connecting(peer)),
            null);
      }
      LockSupport.parkNanos(links, POLL_NANOS);
      send = links.sender(peer, channel, Use.DIRECT);
      receive = links.receiver(peer, channel, Use.DIRECT);
    }
    return DirectLink.of(send, receive, memory.slots(), DirectRail.MOST_BYTES);
  }

  DirectRails rails() {
    return rails;
  }

  /** Returns whether the devices of both ranks combine by a reduction that only combines. */
  boolean combines(DeviceReduction plain) {
    return combined.get(place(plain));
  }
}
