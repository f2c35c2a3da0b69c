// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import io.nitinol.spi.net.v6.NetProperties;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Connections over a network plugin, the channels dealt out over its devices. */
public final class NetTransport implements Transport {
  private final Net net;
  private final Arena arena;
  private final int devices;

  /**
   * Creates the transport.
   *
   * @param net an initialized plugin with at least one device
   * @param arena owns the handles while connections are made
   * @throws NetException when a device cannot send host memory
   */
  public NetTransport(Net net, Arena arena) {
    this.net = net;
    this.arena = arena;
    this.devices = net.devices();
    for (int i = 0; i < devices; i++) {
      NetProperties properties = net.getProperties(i);
      if (!PointerType.HOST.in(properties.ptrSupport())) {
        throw new NetException(
            ResultCode.INVALID_USAGE,
            "device "
                + i
                + " ("
                + properties.name()
                + ") of network "
                + net.name()
                + " does not take host memory (ptrSupport "
                + properties.ptrSupport()
                + "); choose another with NCCL_NET");
      }
    }
  }

  @Override
  public String name() {
    return "NET/" + net.name();
  }

  @Override
  public boolean canConnect(PeerInfo from, PeerInfo to) {
    return devices > 0;
  }

  /** Returns the device that {@code channel} uses. */
  public int device(int channel) {
    return channel % devices;
  }

  /** Returns the network and the device that {@code channel} uses, for error messages. */
  public String describe(int channel) {
    return net.name()
        + " device "
        + device(channel)
        + " ("
        + net.getProperties(device(channel)).name()
        + ")";
  }

  @Override
  public PendingReceive receive(int channel, int peer, Slots slots) {
    MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE, 8);
    ListenComm listener = net.listen(device(channel), handle);
    return new Listening(listener, handle.toArray(ValueLayout.JAVA_BYTE), peer, slots);
  }

  @Override
  public PendingSend send(int channel, int peer, Slots slots, byte[] handle) {
    MemorySegment own = arena.allocate(Net.HANDLE_MAXSIZE, 8);
    MemorySegment.copy(handle, 0, own, ValueLayout.JAVA_BYTE, 0, Net.HANDLE_MAXSIZE);
    return new Dialling(device(channel), own, peer, slots);
  }

  private final class Listening implements PendingReceive {
    private final ListenComm listener;
    private final byte[] handle;
    private final int peer;
    private final Slots slots;

    Listening(ListenComm listener, byte[] handle, int peer, Slots slots) {
      this.listener = listener;
      this.handle = handle;
      this.peer = peer;
      this.slots = slots;
    }

    @Override
    public byte[] handle() {
      return handle.clone();
    }

    @Override
    public @Nullable ReceiveConnector poll() {
      RecvComm comm = net.accept(listener);
      if (comm == null) {
        return null;
      }
      try {
        return new NetReceive(net, comm, peer, slots);
      } catch (RuntimeException e) {
        net.closeRecv(comm);
        throw e;
      }
    }

    @Override
    public void close() {
      net.closeListen(listener);
    }
  }

  private final class Dialling implements PendingSend {
    private final int device;
    private final MemorySegment handle;
    private final int peer;
    private final Slots slots;

    Dialling(int device, MemorySegment handle, int peer, Slots slots) {
      this.device = device;
      this.handle = handle;
      this.peer = peer;
      this.slots = slots;
    }

    @Override
    public @Nullable SendConnector poll() {
      SendComm comm = net.connect(device, handle);
      if (comm == null) {
        return null;
      }
      try {
        return new NetSend(net, comm, peer, slots);
      } catch (RuntimeException e) {
        net.closeSend(comm);
        throw e;
      }
    }
  }
}
