// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceLink;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.Image;
import io.nitinol.tck.peer.DevicePeer;
import io.nitinol.tck.session.SideThread;
import io.nitinol.tck.solo.Errand;
import io.nitinol.tck.solo.Solo;
import io.nitinol.tck.solo.SoloResult;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** What a device provider and its devices say of themselves. */
@SuppressWarnings("ReferenceEquality") // the very object is what is asked for
public final class DeviceProviderRules {
  private static final int LONGEST_NAME = 255;
  private static final int LARGEST_HANDLE = 512;
  private static final Pattern PRINTABLE = Pattern.compile("[!-~]+");
  private static final Pattern PCI =
      Pattern.compile("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");

  @Rule(value = "DEV-01", withoutDevices = true)
  void theProviderIsPublicAndConstructible(DeviceSession session) throws Throwable {
    List<PluginDescription> rejected = session.plugin().rejected();
    session.check(
        rejected.isEmpty(),
        "%d providers beside this one cannot be loaded: %s",
        rejected.size(),
        rejected);
    Class<?> type = session.plugin().create(session.lane()).getClass();
    session.check(Modifier.isPublic(type.getModifiers()), "%s is not public", type.getName());
    session.check(
        Arrays.stream(type.getConstructors()).anyMatch(each -> each.getParameterCount() == 0),
        "%s has no public constructor without parameters",
        type.getName());
    for (int i = 0; i < 100; i++) {
      DeviceProvider fresh = session.fresh();
      session.step("DEV-01", "name before unavailable", fresh::name);
      session.step("DEV-01", "priority before unavailable", fresh::priority);
    }
  }

  @Rule(
      value = "DEV-01",
      needs = {Need.SOLO, Need.PROC},
      withoutDevices = true)
  void nameAndPriorityLoadNoDriver(DeviceSession session) {
    SoloResult seen = Solo.run(session, Errand.CONSTRUCT);
    for (String what : List.of("thread", "descriptor", "library")) {
      session.check(
          seen.all(what).isEmpty(),
          "the constructor, name or priority has opened a %s: %s",
          what,
          seen.all(what));
    }
  }

  @Rule(value = "DEV-02", withoutDevices = true)
  void nameAndPriorityAreTheSameEachTime(DeviceSession session) {
    String name = session.step("DEV-02", "name", session.provider()::name);
    session.check(
        name != null && PRINTABLE.matcher(name).matches() && name.length() <= LONGEST_NAME,
        "the name is \"%s\", expected 1 to 255 printable ASCII characters without spaces",
        name);
    DeviceProvider fresh = session.fresh();
    int priority = session.provider().priority();
    for (int i = 0; i < 10; i++) {
      for (DeviceProvider each : List.of(session.provider(), fresh)) {
        session.check(name.equals(each.name()), "the name is %s, then %s", name, each.name());
        int other = each.priority();
        session.check(priority == other, "the priority is %d, then %d", priority, other);
      }
      if (i == 5) {
        session.step("DEV-03", "unavailable", fresh::unavailable);
      }
    }
  }

  @Rule(value = "DEV-03", withoutDevices = true)
  void unavailableIsTheSameOnSeveralThreads(DeviceSession session) {
    DeviceProvider fresh = session.fresh();
    Queue<String> answers = new ConcurrentLinkedQueue<>();
    List<SideThread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          SideThread.start(
              "unavailable",
              () -> {
                for (int turn = 0; turn < 20; turn++) {
                  answers.add(
                      String.valueOf(session.step("DEV-03", "unavailable", fresh::unavailable)));
                }
              }));
    }
    for (SideThread thread : threads) {
      thread.join("DEV-03", session.patient(TimeUnit.SECONDS.toNanos(50)));
    }
    answers.add(String.valueOf(session.provider().unavailable()));
    Set<String> different = new HashSet<>(answers);
    session.check(different.size() == 1, "unavailable gives several answers: %s", different);
    session.check(!different.contains(""), "unavailable gives an empty reason");
  }

  @Rule(value = "DEV-04", withoutDevices = true)
  void thereAreDevicesIfTheProviderIsAvailable(DeviceSession session) {
    String reason = session.provider().unavailable();
    int devices = session.provider().devices().size();
    session.check(
        (reason == null) == (devices > 0),
        "there are %d devices, and unavailable is %s",
        devices,
        reason);
  }

  @Rule("DEV-05")
  void devicesAreTheSameObjectsInTheSameOrder(DeviceSession session) {
    List<Device> first = session.provider().devices();
    for (int i = 0; i < 3; i++) {
      List<Device> again = session.provider().devices();
      session.check(again.size() == first.size(), "devices changes its length");
      for (int k = 0; k < first.size(); k++) {
        session.check(again.get(k) == first.get(k), "device %d is another object", k);
        session.check(
            again.get(k).index() == k,
            "the device at place %d has index %d",
            k,
            again.get(k).index());
      }
    }
  }

  @Rule("DEV-06")
  void theMemoryTypeIsTrue(DeviceSession session) {
    PointerType type = session.provider().memoryType();
    session.check(
        type == PointerType.CUDA || type == PointerType.HOST,
        "memoryType is %s, expected CUDA or HOST",
        type);
    session.check(type == session.provider().memoryType(), "memoryType changes");
    if (type == PointerType.CUDA) {
      return;
    }
    Image image = Image.onDevice(session, session.device(), 3000);
    DeviceMemory memory = session.memory(session.device(), 3000);
    MemorySegment segment = memory.segment();
    if (segment == null) {
      throw session.broken("memoryType is HOST, but segment of device memory is null");
    }
    session.check(
        segment.address() == memory.address() && segment.byteSize() == 3000,
        "the segment of device memory is of other bytes");
    DeviceStream stream = session.stream(session.device());
    stream.copy(memory.address(), image.at(0), 3000);
    session.finish(stream);
    session.check(
        segment.mismatch(MemorySegment.ofArray(image.part(0, 3000))) < 0,
        "the CPU reads other bytes than the device has written");
    segment.fill((byte) 42);
    segment.set(ValueLayout.JAVA_BYTE, 7, (byte) 7);
    stream.copy(image.at(0), memory.address(), 3000);
    session.finish(stream);
    image.expect(0, 3000, (byte) 42);
    image.expect(7, 1, (byte) 7);
    image.check("the CPU has written the source");
  }

  @Rule("DEV-07")
  void devicesDescribeThemselves(DeviceSession session) {
    for (Device device : session.all()) {
      session.check(
          device.name() != null && !device.name().isBlank(), "the name of a device is blank");
      session.check(device.memorySize() > 0, "memorySize is %d", device.memorySize());
      session.check(device.processors() >= 1, "processors is %d", device.processors());
      String pci = device.pciId();
      session.check(
          pci == null || PCI.matcher(pci).matches(),
          "pciId is %s, expected the form 0000:4e:00.0",
          pci);
    }
    int size = session.provider().memoryHandleSize();
    boolean handles =
        session.all().stream().anyMatch(each -> each.supports(DeviceFeature.MEMORY_HANDLES));
    session.require(
        "DEVMEM-09",
        handles ? size >= 1 && size <= LARGEST_HANDLE : size == 0,
        "memoryHandleSize is %d, and MEMORY_HANDLES are %ssupported",
        size,
        handles ? "" : "not ");
  }

  @Rule("DEV-08")
  void everyDeviceHasAnIdentity(DeviceSession session) {
    Set<String> seen = new HashSet<>();
    for (Device device : session.all()) {
      String uuid = device.uuid();
      session.check(
          uuid != null && PRINTABLE.matcher(uuid).matches(),
          "uuid is \"%s\", expected printable ASCII without spaces",
          uuid);
      session.check(seen.add(uuid), "two devices have the uuid %s", uuid);
      session.check(uuid.equals(device.uuid()), "uuid changes");
    }
  }

  @Rule(value = "DEV-08", needs = Need.PROCESSES)
  void identitiesAreTheSameInAnotherProcess(DeviceSession session) {
    DevicePeer peer = DevicePeer.start(session);
    List<String> there = peer.uuids();
    List<String> here = session.all().stream().map(Device::uuid).toList();
    session.check(
        new HashSet<>(there).equals(new HashSet<>(here)),
        "the uuids are %s here and %s in another process",
        here,
        there);
    peer.release();
  }

  @Rule("DEV-09")
  void devicesKnowTheirPeers(DeviceSession session) {
    for (Device device : session.all()) {
      for (Device other : session.all()) {
        boolean can = device.canAccess(other);
        DeviceLink link = device.link(other);
        session.check(link != null, "link is null");
        session.check(
            device.canAccess(other) == can && link.equals(device.link(other)),
            "canAccess or link changes");
        session.check(
            (device == other) == (link.kind() == DeviceLink.Kind.SELF),
            "the link from device %d to %d is %s",
            device.index(),
            other.index(),
            link);
        session.check(device != other || can, "a device cannot access itself");
        for (int i = 0; i < 3; i++) {
          if (can) {
            session.run("DEV-09", "enablePeerAccess", () -> device.enablePeerAccess(other));
          } else {
            session.refuse(
                "enablePeerAccess where canAccess is false",
                () -> device.enablePeerAccess(other),
                DeviceFailure.UNSUPPORTED);
          }
        }
        session.check(device.canAccess(other) == can, "enablePeerAccess changes canAccess");
      }
    }
  }

  @Rule("DEV-10")
  void whatIsNotSupportedIsUnsupported(DeviceSession session) {
    for (Device device : session.all()) {
      for (DeviceFeature feature : DeviceFeature.values()) {
        boolean has = device.supports(feature);
        session.check(has == device.supports(feature), "supports of %s changes", feature);
        if (!has) {
          denied(session, device, feature);
        } else {
          works(session, device, feature);
        }
      }
    }
  }

  private static void denied(DeviceSession session, Device device, DeviceFeature feature) {
    DeviceMemory memory = session.hostMemory(device, 64);
    DeviceMemory own = session.memory(device, 1 << 16);
    DeviceStream stream = session.stream(device);
    MemorySegment segment = session.arena().allocate(64);
    List<Runnable> calls =
        switch (feature) {
          case MEMORY_HANDLES ->
              List.of(
                  () -> device.exportMemory(own.address(), 64),
                  () -> device.importMemory(new byte[64]));
          case DMABUF -> List.of(() -> device.exportDmaBuf(own.address(), 4096));
          case HOST_REGISTRATION -> List.of(() -> device.registerHost(segment));
          case FOREIGN_STREAMS -> List.of(() -> device.wrapStream(stream.nativeHandle()));
          case STREAM_VALUES ->
              List.of(
                  () -> stream.writeValue(memory.address(), 1),
                  () -> stream.waitValue(memory.address(), 0));
          case GRAPHS -> List.of(stream::beginCapture, () -> stream.endCapture());
          case TEAMS ->
              List.of(() ->
                  device.joinTeam(
                      new DeviceTeamConfig(0, List.of(0), 0, mine -> new byte[][] {mine})));
        };
    for (Runnable call : calls) {
      session.refuse("an operation of " + feature, call, DeviceFailure.UNSUPPORTED);
    }
  }

  /** Tries the features that no rule of their own tries without asking for more. */
  private static void works(DeviceSession session, Device device, DeviceFeature feature) {
    DeviceStream stream = session.stream(device);
    switch (feature) {
      case MEMORY_HANDLES -> {
        DeviceMemory memory = session.memory(device, 100);
        session.step("DEV-10", "exportMemory", () -> device.exportMemory(memory.address(), 100));
      }
      case HOST_REGISTRATION -> {
        MemorySegment segment = session.arena().allocate(1000);
        session.step("DEV-10", "registerHost", () -> device.registerHost(segment)).close();
      }
      case FOREIGN_STREAMS ->
          session
              .step("DEV-10", "wrapStream", () -> device.wrapStream(stream.nativeHandle()))
              .close();
      case STREAM_VALUES -> {
        DeviceMemory number = session.hostMemory(device, 8);
        session.run("DEV-10", "writeValue", () -> stream.writeValue(number.address(), 5));
        session.run("DEV-10", "waitValue", () -> stream.waitValue(number.address(), 5));
      }
      case GRAPHS -> {
        session.run("DEV-10", "beginCapture", stream::beginCapture);
        session.keep(session.step("DEV-10", "endCapture", stream::endCapture));
      }
      case TEAMS ->
          session.step(
              "DEV-10",
              "joinTeam of one rank",
              () -> {
                device
                    .joinTeam(
                        new DeviceTeamConfig(0, List.of(0), 0, mine -> new byte[][] {mine.clone()}))
                    .close();
                return true;
              });
      case DMABUF -> {} // DEVMEM-13 opens descriptors in a process of its own
    }
    session.finish("DEV-10", stream);
  }
}
