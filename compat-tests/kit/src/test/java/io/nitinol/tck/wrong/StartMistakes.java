// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Networks that load or initialise wrongly, or handle an optional call wrongly. */
public final class StartMistakes {
  private StartMistakes() {}

  /** Forgets what it had opened when the next thing cannot be opened. */
  @Breaks("NET-INIT-02")
  public static final class LeaksWhenInitFails extends WrongNet {
    private final List<FileInputStream> opened = new ArrayList<>();

    @Override
    public void init(DebugLogger logger) {
      try {
        opened.add(new FileInputStream("/dev/null"));
        opened.add(new FileInputStream("/dev/null"));
      } catch (IOException e) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "cannot open the device", e);
      }
      net.init(logger);
    }
  }

  /** Finds no device and tells nobody what it looked for. */
  @Breaks("NET-INIT-03")
  public static final class IsSilentWithoutDevices extends WrongNet {
    private static final DebugLogger NOWHERE =
        new DebugLogger() {
          @Override
          public boolean isEnabled(LogLevel level, long subsystems) {
            return false;
          }

          @Override
          public void log(LogLevel level, long subsystems, String file, int line, String message) {}
        };

    @Override
    public void init(DebugLogger logger) {
      net.init(NOWHERE);
    }

    @Override
    public int devices() {
      return 0;
    }
  }

  /** Has its connections in a table that only one instance may use. */
  @Breaks(value = "NET-INIT-05", also = "NET-CONN-01")
  public static final class AllowsOneInstanceInUse extends WrongNet {
    private static final Object LOCK = new Object();
    private static final Set<Object> IN_USE = ConcurrentHashMap.newKeySet();
    private static @Nullable Object owner;

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      synchronized (LOCK) {
        if (owner != null && !owner.equals(this) && !IN_USE.isEmpty()) {
          throw new NetException(ResultCode.SYSTEM_ERROR, "another instance is in use");
        }
        ListenComm comm = net.listen(device, handle);
        owner = this;
        IN_USE.add(comm);
        return comm;
      }
    }

    @Override
    public @Nullable RecvComm accept(ListenComm listenComm) {
      RecvComm comm = net.accept(listenComm);
      if (comm != null) {
        IN_USE.add(comm);
      }
      return comm;
    }

    @Override
    public void closeListen(ListenComm comm) {
      net.closeListen(comm);
      IN_USE.remove(comm);
    }

    @Override
    public void closeRecv(RecvComm comm) {
      net.closeRecv(comm);
      IN_USE.remove(comm);
    }
  }

  /** Prints its news to standard output. */
  @Breaks("NET-INIT-07")
  public static final class PrintsWhatItDoes extends WrongNet {
    @Override
    public void init(DebugLogger logger) {
      net.init(logger);
      System.out.println("using " + net.devices() + " devices");
    }
  }

  /** Shuts down with its last context, and for good. */
  @Breaks("NET-INIT-08")
  public static final class StaysDownAfterTheLastContext extends WrongNewestNet {
    private int open;
    private boolean down;

    @Override
    public NetContext init(
        long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
      if (down) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "shut down");
      }
      open++;
      return super.init(commId, config, logger, profiler);
    }

    @Override
    public void finalizeContext(NetContext context) {
      super.finalizeContext(context);
      down = --open == 0;
    }
  }

  /** Gives every communicator the same context. */
  @Breaks(value = "NET-INIT-09", also = "NET-INIT-11")
  public static final class OneContextForAll extends WrongNewestNet {
    private @Nullable NetContext one;

    @Override
    public NetContext init(
        long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
      if (one == null) {
        one = super.init(commId, config, logger, profiler);
      }
      return one;
    }

    @Override
    public void finalizeContext(NetContext context) {
      if (context != one) {
        super.finalizeContext(context);
      }
    }
  }

  /** Does not notice that a context was finalized. */
  @Breaks("NET-INIT-11")
  public static final class WorksInDeadContexts extends WrongNewestNet {
    private final Set<NetContext> dead = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable NetContext spare;

    @Override
    public NetContext init(
        long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
      if (spare == null) {
        spare = super.init(0, config, logger, null);
      }
      return super.init(commId, config, logger, profiler);
    }

    @Override
    public ListenComm listen(NetContext context, int device, MemorySegment handle) {
      return super.listen(dead.contains(context) ? spare : context, device, handle);
    }

    @Override
    public void finalizeContext(NetContext context) {
      super.finalizeContext(context);
      dead.add(context);
    }
  }

  /** Takes a wish that it does not know for a failure of the system. */
  @Breaks("NET-INIT-12")
  public static final class FailsForATrafficClass extends WrongNewestNet {
    @Override
    public NetContext init(
        long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
      if (config.trafficClass() != NetCommConfig.UNDEFINED) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "no class " + config.trafficClass());
      }
      return super.init(commId, config, logger, profiler);
    }
  }

  /** Takes a call in silence that it says it does not support. */
  @Breaks("NET-OPT-01")
  public static final class ConsumesWhatItDenies extends WrongNewestNet {
    @Override
    public void irecvConsumed(RecvComm comm, int n, Request request) {}
  }

  /** Refuses more connections than were announced. */
  @Breaks("NET-OPT-03")
  public static final class TakesHintsForPromises extends WrongNewestNet {
    private final Map<NetContext, AtomicInteger> left = new ConcurrentHashMap<>();

    @Override
    public boolean supports(OptionalOperation operation) {
      return operation == OptionalOperation.SET_NET_ATTR || super.supports(operation);
    }

    @Override
    public void setNetAttr(NetContext context, NetAttributes attributes) {
      left.put(context, new AtomicInteger(attributes.send().maxConcurrentPeers()));
    }

    @Override
    public @Nullable SendComm connect(
        NetContext context,
        int device,
        MemorySegment handle,
        @Nullable DeviceHandle[] deviceHandle) {
      SendComm comm = super.connect(context, device, handle, deviceHandle);
      if (comm != null && left.containsKey(context) && left.get(context).decrementAndGet() < 0) {
        super.closeSend(comm);
        throw new NetException(ResultCode.INVALID_USAGE, "more connections than were announced");
      }
      return comm;
    }
  }

  /** Offloads what nobody wants offloaded. */
  @Breaks("NET-OPT-04")
  public static final class HandsOutDeviceHandles extends WrongNewestNet {
    @Override
    public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
      RecvComm comm = super.accept(listenComm, deviceHandle);
      deviceHandle[0] =
          comm == null ? null : new DeviceHandle(NetDeviceType.UNPACK, 7, 4096, 64, true);
      return comm;
    }
  }

  /** Has a thread before anybody wants to use it. */
  @Breaks("SEL-01")
  public static final class StartsAThreadInItsConstructor extends WrongNet {
    /** Starts what only init should start. */
    public StartsAThreadInItsConstructor() {
      Thread.ofPlatform()
          .daemon()
          .name(net.name() + "-early")
          .start(() -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(10)));
    }
  }

  /** Adds to its name what it learns in init. */
  @Breaks("SEL-02")
  public static final class RenamesItselfInInit extends WrongNet {
    private volatile String suffix = "";

    @Override
    public String name() {
      return net.name() + suffix;
    }

    @Override
    public void init(DebugLogger logger) {
      net.init(logger);
      suffix = "/" + net.devices();
    }
  }

  /** Has a setting in a constant. */
  @Breaks("SET-08")
  public static final class ReadsSettingsWhenLoaded extends WrongNet {
    private static final Settings SETTINGS = Settings.process();

    @Override
    public void init(DebugLogger logger) {
      logger.info(LogSubsystem.INIT, "wrong", "settings: " + SETTINGS.names().size());
      net.init(logger);
    }
  }
}
