// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.core.Communicator;
import io.nitinol.core.Work;
import io.nitinol.core.plugin.SelectedNet;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A rank of a communicator. */
final class CommunicatorSession implements Session {
  private final Communicator communicator;
  private final SelectedNet net;
  private @Nullable Work last;

  CommunicatorSession(Communicator communicator, SelectedNet net) {
    this.communicator = communicator;
    this.net = net;
  }

  @Override
  public int rank() {
    return communicator.rank();
  }

  @Override
  public int size() {
    return communicator.size();
  }

  @Override
  public String device() {
    return Runtime.getRuntime().availableProcessors() + " cores, Java " + Runtime.version();
  }

  @Override
  public String network() {
    String adapters = net.adapters().isEmpty() ? "" : ", " + String.join(", ", net.adapters());
    return net.name() + " (v" + net.providedVersion() + adapters + "): " + communicator.describe();
  }

  @Override
  public void allReduce(
      MemorySegment send, MemorySegment recv, long count, DataType type, ReductionOp op) {
    last = communicator.allReduce(send, recv, count, type, op);
  }

  @Override
  public void finish() {
    Work work = last;
    if (work != null) {
      work.await(); // operations are done in the order in which they were started
      last = null;
    }
  }

  @Override
  public byte[][] exchange(byte[] mine) {
    return communicator.exchange(mine);
  }
}
