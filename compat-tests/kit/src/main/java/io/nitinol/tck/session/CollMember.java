// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One member's end of a group. Driven by one thread at a time. */
public final class CollMember {
  private final CollSession session;
  private final TestedCollNet net;
  private final CollComm comm;
  private final int rank;
  private final Deque<CollOperation> waiting = new ArrayDeque<>();
  private final List<CollOperation> flying = new ArrayList<>();
  private boolean closed;

  CollMember(CollSession session, TestedCollNet net, CollComm comm, int rank) {
    this.session = session;
    this.net = net;
    this.comm = comm;
    this.rank = rank;
  }

  /** Returns the member's instance. */
  public TestedCollNet net() {
    return net;
  }

  /** Returns the member's comm. */
  public CollComm comm() {
    return comm;
  }

  /** Returns its place in the group. */
  public int rank() {
    return rank;
  }

  /** Registers an area. */
  public MemoryHandle register(GuardedArea area) {
    MemoryHandle handle = session.step("NET-REG-05", "regMr", () -> net.regMr(comm, area.memory()));
    session.require("NET-REG-05", handle != null, "regMr returned null");
    return handle;
  }

  /** Undoes a registration. */
  public void deregister(MemoryHandle handle) {
    session.run("NET-REG-07", "deregMr", () -> net.deregMr(comm, handle));
  }

  /** Calls iallreduce once. */
  public @Nullable Request iallreduce(Reduction one) {
    return net.iallreduce(
        comm,
        one.sendMr(),
        one.sendOffset(),
        one.recvMr(),
        one.recvOffset(),
        one.count(),
        one.pair().type(),
        one.pair().op());
  }

  /** Queues an operation, to be started in one of the next turns after the earlier ones. */
  public CollOperation submit(Reduction reduction) {
    session.needsBytes(reduction.pair().bytes(reduction.count()));
    CollOperation operation = new CollOperation(this, reduction);
    waiting.add(operation);
    return operation;
  }

  /** Starts operations that wait, as far as there is room; tests nothing. */
  public void startNext() {
    while (!waiting.isEmpty() && waiting.getFirst().start()) {
      flying.add(waiting.removeFirst());
    }
  }

  /** Starts the next operations, and tests each of those in flight once. */
  public void turn() {
    startNext();
    flying.removeIf(CollOperation::test);
  }

  /** Notes that the test has closed the comm itself. */
  public void markClosed() {
    closed = true;
  }

  /** Leaves the group the first time. */
  public void close() {
    if (!closed) {
      closed = true;
      session.run("NET-CLOSE-02", "closeColl", () -> net.closeColl(comm));
    }
  }
}
