// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.device.IbPort;
import io.nitinol.net.ib.verbs.Access;
import io.nitinol.net.ib.verbs.AddressVector;
import io.nitinol.net.ib.verbs.CompletionQueue;
import io.nitinol.net.ib.verbs.Errno;
import io.nitinol.net.ib.verbs.ProtectionDomain;
import io.nitinol.net.ib.verbs.QueuePair;
import io.nitinol.net.ib.verbs.QueuePairSpec;
import io.nitinol.net.ib.verbs.SendRequests;
import io.nitinol.net.ib.verbs.VerbsException;
import io.nitinol.spi.net.Comm;
import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;

/** Makes the completion queue of a comm overrun, which the comm itself never does. */
public final class Overrun {
  private static final int DEPTH = 16;
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(20);

  private Overrun() {}

  /** Fills the queue from another queue pair, connected to itself, until the card says so. */
  public static void of(Comm comm) {
    IbConnection connection = ((IbCommEnd) comm).connection;
    IbPort port = connection.portOf(0);
    CompletionQueue queue = connection.queues()[0];
    ProtectionDomain domain = port.card().domain();
    try (Arena arena = Arena.ofConfined();
        QueuePair pair = domain.createQueuePair(QueuePairSpec.of(queue, DEPTH, 1, 0))) {
      pair.toInit(port.number(), 0, Access.REMOTE_WRITE);
      pair.toRtr(
          new AddressVector(
              port.number(),
              0,
              0,
              new AddressVector.Global(port.gid(), port.gidIndex(), 0, 255, 0)),
          pair.number(),
          port.activeMtu(),
          0,
          1,
          12);
      pair.toRts(0, 14, 7, 7, 1);
      SendRequests write = new SendRequests(arena, 1);
      write.opcode(0, SendRequests.RDMA_WRITE);
      write.flags(0, SendRequests.SIGNALED);
      long start = System.nanoTime();
      while (connection.fatalEvent() == null) {
        if (System.nanoTime() - start > LIMIT) {
          throw new AssertionError("no event of " + port + " within 20 s");
        }
        try {
          pair.post(write, 0);
        } catch (VerbsException e) {
          if (e.errno() != Errno.ENOMEM) {
            throw e; // that would be: not done yet, the queue is full
          }
          Thread.yield();
        }
      }
    }
  }
}
