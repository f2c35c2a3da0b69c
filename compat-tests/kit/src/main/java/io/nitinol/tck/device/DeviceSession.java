// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.device;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.check.Inconclusive;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.session.TestSession;
import io.nitinol.tck.session.TestTerms;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A session with a device provider. All that a test makes through it is closed when the test ends,
 * in an order that suits the provider: first every gate is opened and every team aborted, then the
 * streams come to their end, then the rest goes. See {@link TestSession}. One thread at a time, but
 * teams are joined by several.
 */
public final class DeviceSession extends TestSession {
  private static final int LEAST_STAGING = 1 << 16;
  private static final long ENDING = TimeUnit.SECONDS.toNanos(12);

  private final DeviceInstance instance;
  private final List<Gate> gates = new ArrayList<>();
  private final List<DeviceTeam> teams = new ArrayList<>();
  private final List<DeviceStream> streams = new ArrayList<>();
  private final List<AutoCloseable> others = new ArrayList<>();
  private final Map<Device, DeviceStream> carriers = new HashMap<>();
  private final Map<Device, DeviceMemory> stagings = new HashMap<>();

  /** A session with a provider that has been asked whether it can work. */
  public DeviceSession(TestTerms terms, DeviceInstance instance) {
    super(terms);
    this.instance = instance;
    atEnd(this::clear);
  }

  /** Returns the provider under test; its calls are traced. */
  public DeviceProvider provider() {
    return instance.provider();
  }

  @Override
  public int devices() {
    return instance.devices().size();
  }

  @Override
  public String absence() {
    return instance.reason() != null ? instance.reason() : super.absence();
  }

  /** Returns the devices. */
  public List<Device> all() {
    return instance.devices();
  }

  /** Returns the first device. */
  public Device device() {
    return all().getFirst();
  }

  /** Returns a second device that the first one can access, with access enabled both ways. */
  public Device peer() {
    for (Device other : all()) {
      if (!other.equals(device()) && device().canAccess(other) && other.canAccess(device())) {
        run("DEV-09", "enablePeerAccess", () -> device().enablePeerAccess(other));
        run("DEV-09", "enablePeerAccess", () -> other.enablePeerAccess(device()));
        return other;
      }
    }
    throw skip("there is no second device that the first one can access");
  }

  /** Makes another provider of the same class, which has been asked for nothing. */
  public DeviceProvider fresh() {
    return DeviceInstance.create(plugin(), lane(), terms().trace());
  }

  /** Skips the test where a device lacks a feature. */
  public void needs(Device device, DeviceFeature feature) {
    if (!device.supports(feature)) {
      throw skip(device.name() + " does not support " + feature);
    }
  }

  /** Allocates memory of a device, freed when the test ends. */
  public DeviceMemory memory(Device device, long size) {
    DeviceMemory memory =
        step("DEVMEM-01", "allocate of " + size + " bytes", () -> device.allocate(size));
    require("DEVMEM-01", memory != null, "allocate returned null");
    return keep(memory);
  }

  /** Allocates pinned host memory, freed when the test ends. */
  public DeviceMemory hostMemory(Device device, long size) {
    DeviceMemory memory =
        step("DEVMEM-03", "allocateHost of " + size + " bytes", () -> device.allocateHost(size));
    require("DEVMEM-03", memory != null, "allocateHost returned null");
    return keep(memory);
  }

  /** Returns the segment of memory that the CPU may use. */
  public MemorySegment segment(DeviceMemory memory) {
    MemorySegment segment = memory.segment();
    if (segment == null) {
      throw new RuleViolation("DEVMEM-03", "segment of " + memory.kind() + " memory is null");
    }
    return segment;
  }

  /** Closes something when the test ends, after the streams. */
  public <T extends AutoCloseable> T keep(T closeable) {
    synchronized (others) {
      others.add(closeable);
    }
    return closeable;
  }

  /** Creates a stream, which comes to its end and is closed when the test ends. */
  public DeviceStream stream(Device device) {
    DeviceStream stream = step("DEVSTREAM-01", "createStream", () -> device.createStream(false));
    require("DEVSTREAM-01", stream != null, "createStream returned null");
    synchronized (streams) {
      streams.add(stream);
    }
    return stream;
  }

  /** Creates an event. */
  public DeviceEvent event(Device device) {
    DeviceEvent event = step("DEVSTREAM-09", "createEvent", () -> device.createEvent(false));
    require("DEVSTREAM-09", event != null, "createEvent returned null");
    return keep(event);
  }

  /** Returns a gate by which streams of any device are held; skips the test where none can be. */
  public Gate gate() {
    needs(device(), DeviceFeature.STREAM_VALUES);
    DeviceMemory memory = hostMemory(device(), Long.BYTES);
    Gate gate = new Gate(memory, segment(memory));
    gates.add(gate);
    return gate;
  }

  /** Aborts the team when the test ends, if it is still there. */
  public void endTeam(DeviceTeam team) {
    synchronized (teams) {
      teams.add(team);
    }
  }

  /** Closes a stream and forgets it and a team that the test has closed. */
  void forget(DeviceTeam team, DeviceStream stream) {
    synchronized (teams) {
      teams.remove(team);
    }
    synchronized (streams) {
      streams.remove(stream);
    }
    stream.close();
  }

  /** Waits until a stream has done its work, as long as the kit has patience. */
  public void finish(DeviceStream stream) {
    finish("DEVSTREAM-08", stream);
  }

  /** The same, where another rule is broken if the work is never done. */
  public void finish(String rule, DeviceStream stream) {
    long nanos = terms().patience().nanos();
    boolean done = step(rule, "synchronize", () -> stream.synchronize(nanos));
    if (!done) {
      terms().patience().disappointed();
      throw new RuleViolation(
          rule,
          "a stream has not done its work after "
              + TimeUnit.NANOSECONDS.toMillis(nanos)
              + " ms, though nothing keeps it");
    }
  }

  /** Writes bytes into memory of a device, and waits until they are there. */
  public void write(Device device, long address, byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    DeviceMemory staging = staging(device, bytes.length);
    MemorySegment.copy(bytes, 0, segment(staging), ValueLayout.JAVA_BYTE, 0, bytes.length);
    DeviceStream carrier = carrier(device);
    run("DEVSTREAM-04", "copy", () -> carrier.copy(address, staging.address(), bytes.length));
    finish(carrier);
  }

  /** Reads bytes from memory of a device. */
  public byte[] read(Device device, long address, int size) {
    return read("DEVSTREAM-04", device, address, size);
  }

  /** The same, where another rule is broken if the copy is refused. */
  public byte[] read(String rule, Device device, long address, int size) {
    if (size == 0) {
      return new byte[0];
    }
    DeviceMemory staging = staging(device, size);
    DeviceStream carrier = carrier(device);
    run(rule, "copy", () -> carrier.copy(staging.address(), address, size));
    finish(carrier);
    return segment(staging).asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
  }

  /** Returns bytes that depend on the seed of the run only. */
  public byte[] noise(int size) {
    byte[] bytes = new byte[size];
    random().nextBytes(bytes);
    return bytes;
  }

  /**
   * Makes a call that the rule under test wants to fail.
   *
   * @param failures what it may fail with; none means any
   */
  public DeviceException refuse(String what, Runnable call, DeviceFailure... failures) {
    try {
      call.run();
    } catch (DeviceException e) {
      check(
          failures.length == 0 || Set.of(failures).contains(e.failure()),
          "%s failed with %s (%s), expected %s",
          what,
          e.failure(),
          e.getMessage(),
          List.of(failures));
      return e;
    } catch (RuleViolation | Inapplicable | Inconclusive e) {
      throw e;
    } catch (Throwable e) {
      throw new RuleViolation(
          terms().rule(), what + " threw " + e + " instead of a DeviceException", e);
    }
    throw broken(what + " succeeded, expected " + List.of(failures));
  }

  private DeviceMemory staging(Device device, int size) {
    DeviceMemory staging = stagings.get(device);
    if (staging == null || staging.size() < size) {
      staging = hostMemory(device, Math.max(size, LEAST_STAGING));
      stagings.put(device, staging);
    }
    return staging;
  }

  private DeviceStream carrier(Device device) {
    return carriers.computeIfAbsent(device, this::stream);
  }

  /** Ends what is under way and closes what is open. */
  private void clear() {
    gates.forEach(Gate::open);
    List<DeviceTeam> joined;
    synchronized (teams) {
      joined = List.copyOf(teams);
    }
    joined.forEach(DeviceSession::abort);
    long end = System.nanoTime() + patient(ENDING);
    synchronized (streams) {
      for (DeviceStream stream : streams) {
        end(stream, end);
      }
      streams.forEach(DeviceStream::close);
    }
    joined.forEach(DeviceTeam::close);
    List<AutoCloseable> rest;
    synchronized (others) {
      rest = List.copyOf(others).reversed();
    }
    for (AutoCloseable each : rest) {
      try {
        each.close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new RuleViolation("DEV-12", "close threw " + e, e);
      }
    }
  }

  private static void abort(DeviceTeam team) {
    try {
      team.abort("the test has ended");
    } catch (DeviceException e) {
      if (e.failure() != DeviceFailure.INVALID_STATE) { // that of a team that is closed
        throw e;
      }
    }
  }

  /** Waits for a stream, also one that a test has closed or left in a capture. */
  private static void end(DeviceStream stream, long end) {
    try {
      if (stream.isCapturing()) {
        stream.endCapture().close();
      }
      if (!stream.synchronize(Math.max(1, end - System.nanoTime()))) {
        throw new RuleViolation(
            "DEVSTREAM-08", "a stream has not done its work, though nothing keeps it");
      }
    } catch (DeviceException e) {
      if (e.failure() != DeviceFailure.INVALID_STATE) {
        throw e;
      }
    }
  }
}
