// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A machine in QEMU whose kernel has Soft-RoCE and netem. It needs nothing but the right to start
 * QEMU: its processors are emulated, so a program takes several times as long as on the host, and a
 * JVM even longer. Several threads and processes may use guests; on one host they run one after the
 * other.
 */
public final class Guest {
  /** The devices of a guest that {@link #run} was told to give some. */
  public static final List<String> DEVICES = List.of("rxe0", "rxe1");

  /** The guest's memory; files in {@code /tmp}, {@code /run} and the like may take half of it. */
  private static final int MEMORY_MIB = 2048;

  /** The limit of open files: at most the host's; the kernel's own default is 4096. */
  private static final int DESCRIPTORS = 8192;

  /**
   * How many processors a guest has; with more of them, the emulation makes more programs crash.
   */
  private static final int PROCESSORS = 2;

  private final GuestImage image;
  private final int processors;
  private final int memoryMib;
  private final UnaryOperator<Duration> pace;

  private Guest(GuestImage image, int processors, int memoryMib, UnaryOperator<Duration> pace) {
    this.image = image;
    this.processors = processors;
    this.memoryMib = memoryMib;
    this.pace = pace;
  }

  /**
   * Gets a guest ready. The first call on a machine downloads and unpacks a kernel, which takes
   * some ten seconds.
   *
   * @throws GuestUnavailable when this machine lacks what is needed
   */
  public static Guest prepare() throws IOException, InterruptedException, GuestUnavailable {
    HostTools.check();
    return new Guest(
        DebianKernel.image(ImageCache.ofUser()), PROCESSORS, MEMORY_MIB, UnaryOperator.identity());
  }

  /** Returns the same with another number of processors. */
  public Guest withProcessors(int count) {
    return new Guest(image, count, memoryMib, pace);
  }

  /** Returns the same with twice the memory; the host provides only what is used. */
  public Guest withMoreMemory() {
    return new Guest(image, processors, 2 * MEMORY_MIB, pace);
  }

  /**
   * Returns the same on a machine that others use, too.
   *
   * @param now returns how long a limit of an idle machine is on this one, as it is now; asked when
   *     a guest starts, and again when it is to be ended
   */
  public Guest atPace(UnaryOperator<Duration> now) {
    return new Guest(image, processors, memoryMib, now);
  }

  /**
   * Boots a machine, runs commands one after the other, and ends it. The run is repeated once if a
   * JVM in it or its kernel crashed only because of the emulation.
   *
   * @param directory what becomes {@code /out} in the guest; emptied first
   * @param mtu bytes of the RDMA devices' cable; 0 for no devices
   * @param limit when the machine is ended with what runs in it, from its start on; longer at a
   *     pace that is slower, see {@link #atPace}
   * @throws IOException when QEMU cannot be started
   */
  public GuestRun run(Path directory, int mtu, Duration limit, List<GuestCommand> commands)
      throws IOException, InterruptedException {
    String job = job(mtu, commands);
    GuestRun first = boot(directory, job, limit, List.of());
    if (first.crashes().isEmpty() || !first.crashes().stream().allMatch(Crash::isOfEmulation)) {
      return first;
    }
    return boot(directory.resolve("again"), job, limit, first.crashes());
  }

  private GuestRun boot(Path directory, String job, Duration limit, List<Crash> before)
      throws IOException, InterruptedException {
    empty(directory);
    Files.writeString(directory.resolve("job.sh"), job);
    Path console = directory.resolve("console.txt");
    OptionalInt qemu;
    double seconds;
    try (HostLock turn = ImageCache.ofUser().turn()) {
      long start = System.nanoTime();
      qemu =
          HostProcess.run(
              machine(directory.toAbsolutePath()), directory, console, () -> pace.apply(limit));
      seconds = (System.nanoTime() - start) / 1e9;
    }
    String end;
    if (qemu.isEmpty()) {
      end =
          "ended since its limit was over, which is %d s on an idle machine"
              .formatted(limit.toSeconds());
    } else if (Files.exists(directory.resolve("status"))) {
      end = "status " + Files.readString(directory.resolve("status")).strip();
    } else {
      end = "ended before its job had";
    }
    List<Crash> crashes = new ArrayList<>(CrashLog.in(directory));
    KernelOops.in(console).ifPresent(crashes::add);
    return new GuestRun(directory, console, end, seconds, List.copyOf(crashes), before);
  }

  private static String job(int mtu, List<GuestCommand> commands) throws IOException {
    List<String> lines = new ArrayList<>();
    String home = System.getProperty("java.home");
    lines.add("export JAVA_HOME='" + home + "' PATH='" + home + "/bin':\"$PATH\"");
    lines.add("export JAVA_TOOL_OPTIONS='" + javaOptions() + "'");
    lines.add("ulimit -n " + DESCRIPTORS);
    if (mtu > 0) {
      lines.add("MTU=" + mtu);
      lines.add("set -e");
      lines.add(GuestResources.text(GuestResources.DEVICES));
      lines.add("set +e");
    }
    lines.add(GuestResources.text(GuestResources.STEPS));
    commands.forEach(command -> lines.add(command.line()));
    return String.join("\n", lines) + "\n";
  }

  /**
   * Options of all JVMs in the guest. With the default compilers the emulation of several
   * processors crashes one JVM in five; with C1 alone it hardly ever does.
   */
  private static String javaOptions() {
    return "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ErrorFile=/out/"
        + CrashLog.PREFIX
        + "%p.log";
  }

  private List<String> machine(Path directory) {
    List<String> command = new ArrayList<>();
    command.add(HostTools.path(HostTools.QEMU).toString());
    command.addAll(List.of("-machine", "q35", "-accel", "tcg,thread=multi,tb-size=256"));
    command.addAll(List.of("-cpu", "Haswell,la57=off", "-smp", Integer.toString(processors)));
    command.addAll(List.of("-m", Integer.toString(memoryMib)));
    command.addAll(List.of("-nodefaults", "-no-user-config", "-no-reboot", "-nic", "none"));
    // The clock on the board is what steps.sh measures by, and not to jump with the host's time.
    command.addAll(List.of("-rtc", "clock=rt"));
    command.addAll(List.of("-display", "none", "-serial", "stdio", "-monitor", "none"));
    command.addAll(List.of("-kernel", image.kernel().toString()));
    command.addAll(List.of("-initrd", image.initramfs().toString()));
    command.addAll(
        List.of(
            "-append",
            "console=ttyS0,115200 quiet loglevel=4 panic=-1 oops=panic mitigations=off nokaslr tsc=reliable"
                + " random.trust_cpu=on"));
    share(command, "host", "path=/,security_model=none,readonly=on,multidevs=remap");
    share(command, "out", "path=" + commasDoubled(directory) + ",security_model=none");
    command.addAll(List.of("-device", "virtio-rng-pci"));
    command.addAll(List.of("-device", "isa-debug-exit,iobase=0xf4,iosize=0x01"));
    return command;
  }

  private static void share(List<String> command, String tag, String what) {
    command.addAll(List.of("-fsdev", "local,id=" + tag + "," + what));
    command.addAll(List.of("-device", "virtio-9p-pci,fsdev=" + tag + ",mount_tag=" + tag));
  }

  private static String commasDoubled(Path path) {
    return path.toString().replace(",", ",,");
  }

  private static void empty(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> all = Files.walk(directory)) {
        for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
    Files.createDirectories(directory);
  }
}
