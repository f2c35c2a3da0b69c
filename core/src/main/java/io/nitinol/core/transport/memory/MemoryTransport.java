// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.memory;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.shm.RegionHandle;
import io.nitinol.core.shm.SharedRegion;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Transport;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transports between ranks of one host; mirror {@code p2pTransport} and {@code shmTransport}.
 * The receiver makes the memory and offers it; the sender takes it, by which it loses its name.
 */
public final class MemoryTransport implements Transport {
  private static final int USERS = 2;

  private final ShmDirectory directory;
  private final boolean oneProcess;

  private MemoryTransport(ShmDirectory directory, boolean oneProcess) {
    this.directory = directory;
    this.oneProcess = oneProcess;
  }

  /**
   * Returns the transports that {@code settings} allow, the best first; {@code NCCL_P2P_DISABLE}
   * and {@code NCCL_SHM_DISABLE}, which must be the same on all ranks.
   */
  public static List<Transport> allowed(Settings settings, ShmDirectory directory) {
    List<Transport> transports = new ArrayList<>();
    if (!settings.get(CoreVariables.P2P_DISABLE)) {
      transports.add(p2p(directory));
    }
    if (!settings.get(CoreVariables.SHM_DISABLE)) {
      transports.add(shm(directory));
    }
    return transports;
  }

  /** Returns the transport between ranks of one process. */
  public static MemoryTransport p2p(ShmDirectory directory) {
    return new MemoryTransport(directory, true);
  }

  /** Returns the transport between processes that see {@code directory}. */
  public static MemoryTransport shm(ShmDirectory directory) {
    return new MemoryTransport(directory, false);
  }

  @Override
  public String name() {
    return oneProcess ? "P2P" : "SHM";
  }

  @Override
  public boolean canConnect(PeerInfo from, PeerInfo to) {
    return from.host() == to.host() && (!oneProcess || from.pid() == to.pid());
  }

  @Override
  public boolean usesHostMemory() {
    return true;
  }

  @Override
  public PendingReceive receive(int channel, int peer, Connectors.Use use, int slotBytes) {
    long bytes = SlotRing.bytes(slotBytes);
    SharedRegion region =
        oneProcess
            ? SharedRegion.createLocal(bytes, USERS, new LentBuffers())
            : SharedRegion.createFile(directory, bytes, USERS);
    try {
      region.allocate(SharedRegion.HEADER, bytes - SharedRegion.HEADER);
      region.arrive();
      return new Offered(peer, slotBytes, region);
    } catch (Throwable e) {
      region.close();
      throw e;
    }
  }

  @Override
  public PendingSend send(int channel, int peer, Connectors.Use use, int slotBytes, byte[] handle) {
    return new Taken(peer, slotBytes, RegionHandle.of(handle));
  }

  private static final class Offered implements PendingReceive {
    private final int peer;
    private final int slotBytes;
    private final SharedRegion region;
    private boolean done;

    Offered(int peer, int slotBytes, SharedRegion region) {
      this.peer = peer;
      this.slotBytes = slotBytes;
      this.region = region;
    }

    @Override
    public byte[] handle() {
      return region.handle().toBytes();
    }

    @Override
    public @Nullable ReceiveConnector poll() {
      if (!region.completeIfArrived()) {
        return null;
      }
      done = true;
      return new MemoryReceive(peer, new SlotRing(region, slotBytes));
    }

    @Override
    public void close() {
      if (!done) {
        region.close();
      }
    }
  }

  private final class Taken implements PendingSend {
    private final int peer;
    private final int slotBytes;
    private final RegionHandle handle;

    Taken(int peer, int slotBytes, RegionHandle handle) {
      this.peer = peer;
      this.slotBytes = slotBytes;
      this.handle = handle;
    }

    @Override
    public SendConnector poll() {
      if (handle.size() != SlotRing.bytes(slotBytes)) {
        throw new NetException(
            ResultCode.INVALID_USAGE,
            ErrorText.of(
                "rank %s offers %s for messages, expected %s; NCCL_BUFFSIZE and its like must be "
                    + "the same for all ranks",
                peer, handle, SlotRing.bytes(slotBytes)));
      }
      SharedRegion region = SharedRegion.open(directory, handle, USERS);
      region.arrive();
      return new MemorySend(peer, new SlotRing(region, slotBytes));
    }

    @Override
    public void close() {
      // A region is held only once it is part of a connection.
    }
  }
}
