// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.net;

import io.nitinol.core.log.LastWarning;
import io.nitinol.core.plugin.NetDevices;
import io.nitinol.core.profiler.ConnectionEvents;
import io.nitinol.core.profiler.ProfilerSession;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.RegistrationException;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.core.transport.Slots;
import io.nitinol.core.transport.Transport;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.spi.profiler.ReportType;
import io.nitinol.spi.profiler.v1.ProfilerReport;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections over a network plugin, the channels dealt out over those of its devices that take
 * host memory, or over those of them that are near.
 */
public final class NetTransport implements Transport {
  private final Net net;
  private final NetContext context;
  private final Arena arena;
  private final boolean mayWait;

  /** The name of the plugin. */
  private final String network;

  /** A device that core can use. */
  private record HostDevice(int number, String name) {}

  private final List<HostDevice> devices;

  private @Nullable ProfilerSession profiler;
  private @Nullable LastWarning warnings;

  /** Creates the transport over a plugin that never waits; see the other constructor. */
  public NetTransport(Net net, NetContext context, Arena arena) {
    this(net, context, arena, false, List.of());
  }

  /**
   * Creates the transport.
   *
   * @param net an initialized plugin with at least one device
   * @param context what the plugin keeps for this communicator; stays the caller's, which finalizes
   *     it when all connections are closed
   * @param arena owns the memory of connections, and their handles while they are made
   * @param mayWait whether connect and accept may wait for the peer, as version 4 may
   * @param near the devices to use, in the order of channels, where they can send host memory; of
   *     none all are used
   * @throws NetException when no device can send host memory
   */
  public NetTransport(
      Net net, NetContext context, Arena arena, boolean mayWait, List<Integer> near) {
    this.net = net;
    this.context = context;
    this.arena = arena;
    this.mayWait = mayWait;
    this.network = net.name();
    List<HostDevice> all = hostDevices(net);
    List<HostDevice> chosen = new ArrayList<>();
    for (int number : near) {
      all.stream().filter(each -> each.number() == number).forEach(chosen::add);
    }
    this.devices = chosen.isEmpty() ? all : List.copyOf(chosen);
  }

  /** Has what goes over the connections told to a profiler. Before the first of them. */
  public void tell(ProfilerSession session) {
    profiler = session;
  }

  /** Has the plugin's warnings told of connections that do not come about. Before the first. */
  public void hear(LastWarning log) {
    warnings = log;
  }

  @Override
  public @Nullable String warningSince(int peer, long nanos) {
    return warnings == null ? null : warnings.since(peer, nanos);
  }

  /** Makes a call of the plugin that is about one peer. */
  private <T extends @Nullable Object> T about(int peer, Supplier<T> call) {
    return warnings == null ? call.get() : warnings.about(peer, call);
  }

  private @Nullable ConnectionEvents events(boolean sends, int channel, int peer, int slotBytes) {
    return profiler == null
        ? null
        : profiler.connection(sends, channel, peer, slotBytes, Slots.COUNT);
  }

  /** Returns the plugin for one connection: itself, unless there is a profiler. */
  private Net netOf(boolean sends, int peer, int channel) {
    ProfilerSession session = profiler;
    if (session == null) {
      return net;
    }
    session.askForReports();
    return session.timed(net, sends, peer, channel);
  }

  /** How long a connection takes, for a profiler that wants to know. Polled by one thread. */
  private final class Making {
    private final boolean sends;
    private final int peer;
    private final int channel;
    private final Connectors.Use use;

    /** When the first poll began, by {@link System#nanoTime}; nothing where nobody asks. */
    private long begin;

    private boolean timed;

    Making(boolean sends, int peer, int channel, Connectors.Use use) {
      this.use = use;
      this.sends = sends;
      this.peer = peer;
      this.channel = channel;
    }

    void polls() {
      ProfilerSession session = profiler;
      if (session != null && !timed && session.wants(ReportType.CONNECTION)) {
        timed = true;
        begin = System.nanoTime();
      }
    }

    /** Calls no plugin but the profiler: what throws here would lose the connection. */
    void ends() {
      ProfilerSession session = profiler;
      if (session != null && timed && session.wants(ReportType.CONNECTION)) {
        session.report(
            new ProfilerReport.Connection(
                network,
                hostDevice(channel).name(),
                use.name().toLowerCase(Locale.ROOT),
                sends,
                peer,
                channel,
                begin,
                System.nanoTime() - begin));
      }
    }
  }

  private static List<HostDevice> hostDevices(Net net) {
    List<HostDevice> found = new ArrayList<>();
    StringBuilder others = new StringBuilder();
    int count = net.devices();
    for (int i = 0; i < count; i++) {
      NetProperties properties = net.getProperties(i);
      if (NetDevices.isUsable(properties)) {
        found.add(new HostDevice(i, properties.name()));
      } else {
        others.append(others.isEmpty() ? "" : ", ").append(NetDevices.whyNot(properties));
      }
    }
    if (found.isEmpty()) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "no device of network %s takes host memory and is driven by the host: %s; choose "
                  + "another network with NCCL_NET",
              net.name(), others.isEmpty() ? "it has none" : others));
    }
    return List.copyOf(found);
  }

  @Override
  public boolean mayWait() {
    return mayWait;
  }

  @Override
  public String name() {
    return "NET/" + network;
  }

  @Override
  public boolean canConnect(PeerInfo from, PeerInfo to) {
    return !devices.isEmpty();
  }

  /** Returns the device that {@code channel} uses. */
  public int device(int channel) {
    return hostDevice(channel).number();
  }

  private HostDevice hostDevice(int channel) {
    return devices.get(channel % devices.size());
  }

  @Override
  public String path(int channel) {
    HostDevice device = hostDevice(channel);
    return ErrorText.of("%s/%d (%s)", name(), device.number(), device.name());
  }

  @Override
  public String describe(int channel) {
    HostDevice device = hostDevice(channel);
    return ErrorText.of("%s device %s (%s)", network, device.number(), device.name());
  }

  @Override
  public PendingReceive receive(int channel, int peer, Connectors.Use use, int slotBytes) {
    MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE, 8);
    Net own = netOf(false, peer, channel);
    ListenComm listener = own.listen(context, device(channel), handle);
    return new Listening(
        own, listener, handle.toArray(ValueLayout.JAVA_BYTE), channel, peer, use, slotBytes);
  }

  @Override
  public PendingSend send(int channel, int peer, Connectors.Use use, int slotBytes, byte[] handle) {
    MemorySegment own = arena.allocate(Net.HANDLE_MAXSIZE, 8);
    MemorySegment.copy(handle, 0, own, ValueLayout.JAVA_BYTE, 0, Net.HANDLE_MAXSIZE);
    return new Dialling(channel, own, peer, use, slotBytes);
  }

  private final class Listening implements PendingReceive {
    private final Net own;
    private final Making making;
    private final ListenComm listener;
    private final byte[] handle;

    /** Nothing stands in it: device offload is not asked for. */
    private final @Nullable DeviceHandle[] offload = new DeviceHandle[1];

    private final int channel;
    private final int peer;
    private final int slotBytes;

    Listening(
        Net own,
        ListenComm listener,
        byte[] handle,
        int channel,
        int peer,
        Connectors.Use use,
        int slotBytes) {
      this.own = own;
      this.making = new Making(false, peer, channel, use);
      this.channel = channel;
      this.listener = listener;
      this.handle = handle;
      this.peer = peer;
      this.slotBytes = slotBytes;
    }

    @Override
    public byte[] handle() {
      return handle.clone();
    }

    @Override
    public @Nullable ReceiveConnector poll() {
      making.polls();
      RecvComm comm = about(peer, () -> own.accept(listener, offload));
      if (comm == null) {
        return null;
      }
      NetReceive made;
      try {
        made =
            new NetReceive(
                own,
                comm,
                peer,
                new Slots(arena, slotBytes),
                events(false, channel, peer, slotBytes));
      } catch (Throwable e) {
        throw RegistrationException.closing(() -> own.closeRecv(comm), e);
      }
      making.ends();
      return made;
    }

    @Override
    public void close() {
      own.closeListen(listener);
    }
  }

  private final class Dialling implements PendingSend {
    private final Net own;
    private final Making making;
    private final int channel;
    private final MemorySegment handle;

    /** As in {@link Listening}. */
    private final @Nullable DeviceHandle[] offload = new DeviceHandle[1];

    private final int peer;
    private final int slotBytes;

    Dialling(int channel, MemorySegment handle, int peer, Connectors.Use use, int slotBytes) {
      this.own = netOf(true, peer, channel);
      this.making = new Making(true, peer, channel, use);
      this.channel = channel;
      this.handle = handle;
      this.peer = peer;
      this.slotBytes = slotBytes;
    }

    @Override
    public @Nullable SendConnector poll() {
      making.polls();
      SendComm comm = about(peer, () -> own.connect(context, device(channel), handle, offload));
      if (comm == null) {
        return null;
      }
      NetSend made;
      try {
        made =
            new NetSend(
                own,
                comm,
                peer,
                new Slots(arena, slotBytes),
                events(true, channel, peer, slotBytes));
      } catch (Throwable e) {
        throw RegistrationException.closing(() -> own.closeSend(comm), e);
      }
      making.ends();
      return made;
    }

    @Override
    public void close() {} // a plugin frees an attempt that is no longer called for (NET-CONN-19)
  }
}
