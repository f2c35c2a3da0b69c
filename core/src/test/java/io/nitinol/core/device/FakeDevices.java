// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.spi.Collective;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceLink;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.MemoryKind;
import io.nitinol.spi.device.v1.MemoryRange;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Three devices without memory or work: device 0 and 1 reach each other, device 2 nobody. Device d
 * has 1 MiB at {@code (d + 1) << 30}. Streams are always done, and teams only write down what was
 * launched.
 */
public final class FakeDevices implements DeviceProvider {
  private static final int COUNT = 3;

  private final String name;
  private final int priority;
  private final @Nullable String unavailable;
  private final List<Device> devices = new ArrayList<>();

  /** What was launched, in words; only while {@link #records} is set. */
  public final List<String> launched = new ArrayList<>();

  public boolean records = true;

  /** How often the driver was asked about an address. */
  public int asked;

  /** The devices for which access was enabled. */
  public final List<Integer> enabled = new ArrayList<>();

  /** What the next launch throws. */
  public @Nullable DeviceException failure;

  /** What joining a team of more than one rank throws. */
  public @Nullable DeviceException joinFailure;

  /** The rank whose joining throws what no provider should; -1 for none. */
  public int brokenRank = -1;

  /** Why the team was aborted. */
  public volatile @Nullable String aborted;

  public final Set<Integer> abortedRanks = ConcurrentHashMap.newKeySet();

  /** What an abort throws, against its contract. */
  public volatile @Nullable RuntimeException abortFailure;

  public int closedTeams;

  /** What no team runs. */
  public @Nullable Collective unsupported;

  /** Whether streams come to the events in them. */
  public volatile boolean eventsPass = true;

  /** How often an event was put into a stream. */
  public int marks;

  /** How many events were made. */
  public int eventsMade;

  /** Whether streams have work; asked at each look at one. */
  public volatile BooleanSupplier busy = () -> false;

  /** Runs within every launch, before its work is in the stream. */
  public Runnable duringLaunch = () -> {};

  /** How often somebody has waited for a stream. */
  public final AtomicInteger waits = new AtomicInteger();

  /** Makes a provider that works. */
  public FakeDevices(String name) {
    this(name, -1, null);
  }

  public FakeDevices(String name, int priority, @Nullable String unavailable) {
    this.name = name;
    this.priority = priority;
    this.unavailable = unavailable;
    for (int i = 0; i < COUNT; i++) {
      devices.add(new FakeDevice(i));
    }
  }

  /** Returns the first address of a device's memory. */
  public static long address(int device) {
    return (device + 1L) << 30;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int priority() {
    return priority;
  }

  @Override
  public @Nullable String unavailable() {
    return unavailable;
  }

  @Override
  public PointerType memoryType() {
    return PointerType.CUDA;
  }

  @Override
  public List<Device> devices() {
    return devices;
  }

  @Override
  public int memoryHandleSize() {
    return 0;
  }

  @Override
  public @Nullable MemoryRange find(long address) {
    asked++;
    int device = (int) (address >> 30) - 1;
    long offset = address & ((1L << 30) - 1);
    if (device < 0 || device >= COUNT || offset >= 1 << 20) {
      return null;
    }
    // In two pieces, as where a driver maps memory piece by piece.
    long piece = offset < 1 << 19 ? 0 : 1 << 19;
    return new MemoryRange(MemoryKind.DEVICE, device, address(device) + piece, 1 << 19);
  }

  private final class FakeDevice implements Device {
    private final int index;

    FakeDevice(int index) {
      this.index = index;
    }

    @Override
    public int index() {
      return index;
    }

    @Override
    public String name() {
      return "Fake " + index;
    }

    @Override
    public @Nullable String pciId() {
      return null;
    }

    @Override
    public String uuid() {
      return "FAKE-" + index;
    }

    @Override
    public long memorySize() {
      return 1 << 20;
    }

    @Override
    public int processors() {
      return 1;
    }

    @Override
    public boolean supports(DeviceFeature feature) {
      return feature == DeviceFeature.TEAMS;
    }

    @Override
    public boolean canAccess(Device peer) {
      return peer == this || (index < 2 && peer.index() < 2);
    }

    @Override
    public DeviceLink link(Device peer) {
      return new DeviceLink(DeviceLink.Kind.UNKNOWN, 0, false);
    }

    @Override
    public void enablePeerAccess(Device peer) {
      enabled.add(peer.index());
    }

    @Override
    public DeviceMemory allocate(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public DeviceMemory allocateHost(long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public DeviceStream createStream(boolean urgent) {
      return new FakeStream(this);
    }

    @Override
    public DeviceEvent createEvent(boolean timed) {
      eventsMade++;
      return new FakeEvent(this);
    }

    @Override
    public DeviceKernels kernels() {
      throw new UnsupportedOperationException();
    }

    @Override
    public DeviceTeam joinTeam(DeviceTeamConfig config) {
      if (config.rank() == brokenRank) {
        throw new IllegalStateException("a bug of the provider");
      }
      if (config.ranks() > 1) {
        config.exchange().exchange(new byte[] {(byte) config.rank()});
        DeviceException refused = joinFailure;
        if (refused != null) {
          throw new DeviceException(refused.failure(), String.valueOf(refused.getMessage()));
        }
      }
      return new FakeTeam(this, config);
    }
  }

  private final class FakeEvent implements DeviceEvent {
    private final Device device;

    FakeEvent(Device device) {
      this.device = device;
    }

    @Override
    public Device device() {
      return device;
    }

    @Override
    public boolean query() {
      return eventsPass;
    }

    @Override
    public boolean synchronize(long timeoutNanos) {
      return true;
    }

    @Override
    public long elapsedNanos(DeviceEvent start) {
      return 0;
    }

    @Override
    public void close() {}
  }

  private final class FakeStream implements DeviceStream {
    private final Device device;
    private volatile boolean closed;

    FakeStream(Device device) {
      this.device = device;
    }

    private void requireOpen() {
      if (closed) {
        throw new DeviceException(DeviceFailure.INVALID_STATE, "the stream is closed");
      }
    }

    @Override
    public Device device() {
      return device;
    }

    @Override
    public long nativeHandle() {
      return 1;
    }

    @Override
    public void copy(long dst, long src, long size) {}

    @Override
    public void fill(long dst, byte value, long size) {}

    @Override
    public void record(DeviceEvent event) {
      requireOpen();
      marks++;
    }

    @Override
    public void await(DeviceEvent event) {}

    @Override
    public boolean query() {
      requireOpen();
      return !busy.getAsBoolean();
    }

    @Override
    public boolean synchronize(long timeoutNanos) {
      requireOpen();
      waits.incrementAndGet();
      return !busy.getAsBoolean();
    }

    @Override
    public boolean isCapturing() {
      requireOpen();
      return false;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  private final class FakeTeam implements DeviceTeam {
    private final Device device;
    private final DeviceTeamConfig config;

    FakeTeam(Device device, DeviceTeamConfig config) {
      this.device = device;
      this.config = config;
    }

    private void launch(Collective what, long count) {
      duringLaunch.run();
      DeviceException thrown = failure;
      if (thrown != null) {
        throw thrown;
      }
      if (records) {
        launched.add(rank() + " " + what.label() + " " + count);
      }
    }

    @Override
    public int rank() {
      return config.rank();
    }

    @Override
    public int ranks() {
      return config.ranks();
    }

    @Override
    public Device device() {
      return device;
    }

    @Override
    public int blocks() {
      return 1;
    }

    @Override
    public boolean supports(Collective collective, @Nullable DeviceReduction reduction) {
      return collective != unsupported;
    }

    @Override
    public TeamWindow openWindow(long address, long size) {
      throw new DeviceException(DeviceFailure.IPC_REFUSED, "no windows here");
    }

    @Override
    public void allReduce(
        DeviceStream stream, DeviceReduction reduction, long src, long dst, long count) {
      launch(Collective.ALL_REDUCE, count);
    }

    @Override
    public void reduceScatter(
        DeviceStream stream, DeviceReduction reduction, long src, long dst, long count) {
      launch(Collective.REDUCE_SCATTER, count);
    }

    @Override
    public void reduce(
        DeviceStream stream, DeviceReduction reduction, long src, long dst, long count, int root) {
      launch(Collective.REDUCE, count);
    }

    @Override
    public void allGather(DeviceStream stream, long src, long dst, long size) {
      launch(Collective.ALL_GATHER, size);
    }

    @Override
    public void broadcast(DeviceStream stream, long src, long dst, long size, int root) {
      launch(Collective.BROADCAST, size);
    }

    @Override
    public void allToAll(DeviceStream stream, long src, long dst, long size) {
      launch(Collective.ALL_TO_ALL, size);
    }

    @Override
    public void transfer(DeviceStream stream, List<TeamTransfer> transfers) {
      launch(Collective.SEND_RECV, transfers.size());
    }

    @Override
    public void abort(String reason) {
      aborted = reason;
      abortedRanks.add(rank());
      RuntimeException thrown = abortFailure;
      if (thrown != null) {
        throw thrown;
      }
    }

    @Override
    public @Nullable DeviceException failure() {
      return null;
    }

    @Override
    public void close() {
      closedTeams++;
    }
  }
}
