// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.session.NetConnection;
import io.nitinol.tck.session.NetListening;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Resources;
import io.nitinol.tck.session.Session;
import io.nitinol.toolkit.ErrorText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Devices: their number, their properties, and whether these are true. */
public final class DeviceRules {
  /** Each costs little, and a plugin may measure what it tells. */
  private static final int LOOKS = 300;

  private static final long MOST_BYTES = 1L << 40;

  /** Files that the driver of a GPU makes: on servers, under Windows, on boards with one. */
  private static final List<Path> GPU =
      List.of(
          Path.of("/dev/nvidiactl"),
          Path.of("/dev/dxg"),
          Path.of("/dev/nvhost-ctrl"),
          Path.of("/dev/nvhost-gpu"),
          Path.of("/dev/nvhost-ctrl-gpu"),
          Path.of("/dev/nvgpu"));

  private static final int KNOWN_BITS =
      PointerType.HOST.mask() | PointerType.CUDA.mask() | PointerType.DMABUF.mask();
  private static final int MANY_COMMS = 1_000;

  /** So long the test makes connections, where a few of them take that long. */
  private static final long CONNECTING = TimeUnit.SECONDS.toNanos(20);

  private static final int FEW = 10;
  private static final int DESCRIPTORS_OF_A_COMM = 4;
  private static final int DESCRIPTORS_OF_THE_REST = 256;

  @Rule(value = "NET-DEV-01", withoutDevices = true)
  void theNumberOfDevicesStays(Session session) {
    int first = session.devices();
    session.check(first >= 0, "devices is %d", first);
    for (int i = 0; i < 10; i++) {
      int again = session.step("NET-DEV-01", "devices", session.common()::devices);
      session.check(again == first, "devices was %d and is %d", first, again);
    }
  }

  @Rule("NET-DEV-01")
  void theNumberOfDevicesStaysWhileTheyAreUsed(NetSession session) {
    session.connect().transfer(4096);
    int after = session.step("NET-DEV-01", "devices", session.net()::devices);
    session.check(
        after == session.devices(),
        "devices was %d after init and is %d after use",
        session.devices(),
        after);
  }

  @Rule("NET-DEV-02")
  void propertiesAreEqualEachTime(Session session) {
    for (int device = 0; device < session.devices(); device++) {
      NetProperties first = session.properties(device);
      session.check(first != null, "getProperties(%d) is null", device);
      for (int i = 0; i < LOOKS; i++) {
        NetProperties again = session.properties(device);
        session.check(first.equals(again), "device %d was %s and is %s", device, first, again);
      }
    }
  }

  @Rule("NET-DEV-02")
  void propertiesStayWhileTheDeviceIsUsed(NetSession session) {
    NetProperties before = session.properties(0);
    session.connect().transfer(4096);
    NetProperties after = session.properties(0);
    session.check(
        before.equals(after), "device 0 was %s before its use and is %s after", before, after);
  }

  @Rule("NET-DEV-03")
  void getPropertiesRefusesOtherDevices(Session session) {
    for (int device : others(session)) {
      session.expect(
          "getProperties(" + device + ") of " + session.devices() + " devices",
          () -> session.common().getProperties(device),
          ResultCode.INVALID_ARGUMENT);
    }
  }

  @Rule("NET-DEV-03")
  void listenRefusesOtherDevices(Session session) {
    for (int device : others(session)) {
      session.expect(
          "listen on device " + device + " of " + session.devices(),
          () -> session.common().listen(device, session.handle()),
          ResultCode.INVALID_ARGUMENT);
    }
  }

  @Rule("NET-DEV-03")
  void connectRefusesOtherDevices(NetSession session) {
    NetListening listening = session.listen(0);
    for (int device : others(session)) {
      session.expect(
          "connect from device " + device + " of " + session.devices(),
          () -> session.net().connect(device, session.copyOf(listening.handle())),
          ResultCode.INVALID_ARGUMENT);
    }
  }

  @Rule("NET-DEV-04")
  void propertiesArePlausible(Session session) {
    each(
        session,
        p -> {
          session.check(p.name() != null && !p.name().isBlank(), "the name of %s is blank", p);
          if (p.speed() == 0 && session.plugin().isLibrary(session.lane())) {
            session.note("speed is 0 Mb/s, for which NCCL takes 10 Gbit/s");
          } else {
            session.check(
                p.speed() > 0, "speed is %d Mb/s, expected more than 0: %s", p.speed(), p);
          }
          session.check(
              Float.isFinite(p.latency()) && p.latency() >= 0,
              "latency is %s us, expected 0 or more and finite: %s",
              p.latency(),
              p);
          session.check(p.maxComms() >= 1, "maxComms is %d, expected 1 or more", p.maxComms());
          session.check(p.maxRecvs() >= 1, "maxRecvs is %d, expected 1 or more", p.maxRecvs());
        });
  }

  @Rule("NET-DEV-05")
  void pointerSupportIsAKnownMask(Session session) {
    each(
        session,
        p -> {
          int mask = p.ptrSupport();
          session.check(
              PointerType.HOST.in(mask) || PointerType.CUDA.in(mask),
              "ptrSupport 0x%x has neither HOST nor CUDA",
              mask);
          session.check(
              (mask & ~KNOWN_BITS) == 0, "ptrSupport 0x%x has bits beyond 0x%x", mask, KNOWN_BITS);
          session.check(
              !PointerType.DMABUF.in(mask) || PointerType.CUDA.in(mask),
              "ptrSupport 0x%x has DMABUF without CUDA",
              mask);
        });
  }

  @Rule("NET-DEV-06")
  void pciPathExists(Session session) {
    each(
        session,
        p -> {
          String path = p.pciPath();
          if (path != null) {
            session.check(
                path.startsWith("/") && Files.exists(Path.of(path)),
                "pciPath %s of %s is no absolute path that exists here; a virtual device has null",
                path,
                p.name());
          }
        });
  }

  @Rule("NET-DEV-08")
  void deviceMemoryIsDeclaredOnlyWhereThereIsSome(Session session) {
    boolean[] declared = new boolean[1];
    each(
        session,
        p -> {
          boolean cuda =
              PointerType.CUDA.in(p.ptrSupport()) || PointerType.DMABUF.in(p.ptrSupport());
          declared[0] |= cuda;
          session.check(
              !cuda || GPU.stream().anyMatch(Files::exists),
              "ptrSupport 0x%x of %s declares CUDA or DMABUF on a machine without any of %s",
              p.ptrSupport(),
              p.name(),
              GPU);
        });
    if (declared[0]) {
      throw session.skip("CUDA is declared and a GPU's driver is there; the kit has no GPU memory");
    }
  }

  @Rule(value = "NET-DEV-09", in = Placement.PROCESS, needs = Need.PROC)
  void manyCommsExistAtOnce(NetSession session) {
    int wanted = Math.min(session.properties(0).maxComms(), MANY_COMMS);
    if (wanted < 2) {
      throw session.skip("maxComms is 1: a connection from the device to itself takes two");
    }
    long limit = Resources.descriptorLimit();
    long room = (limit - DESCRIPTORS_OF_THE_REST) / DESCRIPTORS_OF_A_COMM;
    int comms = Math.clamp(room, 2, wanted);
    NetListening listening = session.listen(0);
    List<NetConnection> open = new ArrayList<>();
    long end = System.nanoTime() + session.patient(CONNECTING);
    for (int i = 0; i < comms / 2 && (i < FEW || System.nanoTime() - end < 0); i++) {
      try {
        open.add(session.connect(session.net(), 0, listening));
      } catch (RuntimeException e) {
        throw session.broken(
            ErrorText.of(
                "with %s comms open on device 0, of %s that maxComms declares, another"
                    + " connection fails: %s",
                2 * i, session.properties(0).maxComms(), e.getMessage()));
      }
    }
    for (int i : new int[] {0, open.size() / 2, open.size() - 1}) {
      open.get(i).transfer(4096);
    }
    if (open.size() < comms / 2) {
      session.note(
          ErrorText.of(
              "connections are slow here: %s comms were open at once, and not %s",
              2 * open.size(), comms));
      return;
    }
    if (comms < wanted) {
      throw session.skip(
          ErrorText.of(
              "%s comms work at once; for %s the limit of open files is too low: %s",
              comms, wanted, limit));
    }
  }

  @Rule("NET-DEV-10")
  void aDeviceKnowsWhatItConsistsOf(Session session) {
    for (int device = 0; device < session.devices(); device++) {
      int number = device;
      NetProperties p = session.properties(device);
      List<Integer> parts = p.virtualDevice().devices();
      boolean single = parts.size() == 1;
      session.check(
          single ? parts.getFirst() == number : parts.size() <= Net.MAX_DEVS_PER_NIC,
          "device %d, %s, consists of devices %s",
          number,
          p.name(),
          parts);
      for (int part : parts) {
        session.check(
            part < session.devices()
                && session.properties(part).virtualDevice().devices().size() == 1,
            "device %d consists of %s, of which %d is not physical",
            number,
            parts,
            part);
      }
    }
  }

  @Rule("NET-DEV-11")
  void sizesAndPlacesAreNumbersThatCanBe(Session session) {
    each(
        session,
        p ->
            session.check(
                p.maxP2pBytes() >= 1
                    && p.maxP2pBytes() <= MOST_BYTES
                    && p.maxCollBytes() >= 1
                    && p.maxCollBytes() <= MOST_BYTES
                    && p.maxMultiRequestSize() >= 1
                    && p.railId() >= -1
                    && p.planeId() >= -1,
                "%s has %s",
                p.name(),
                p));
  }

  @Rule(value = "NET-V5-01", needs = Need.V5_ONLY)
  void versionFiveDeclaresNoDmaBuf(NetSession session) {
    each(
        session,
        p ->
            session.check(
                !PointerType.DMABUF.in(p.ptrSupport()),
                "ptrSupport 0x%x of %s has DMABUF, which version 5 does not know",
                p.ptrSupport(),
                p.name()));
  }

  private static void each(Session session, Consumer<NetProperties> judge) {
    for (int device = 0; device < session.devices(); device++) {
      judge.accept(session.properties(device));
    }
  }

  private static int[] others(Session session) {
    int count = session.devices();
    return new int[] {-1, count, count + 1, Integer.MIN_VALUE, Integer.MAX_VALUE};
  }
}
