// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.spi.testing.Thorough;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One application, {@code plugins-samples/app-sgd} as it was compiled once, goes from Socket to
 * libfabric, to libfabric over verbs, to IB, to a native plugin and to the switch by variables
 * alone. It prints the same losses everywhere: its gradients are sums of integers. What needs RDMA
 * devices runs in the guest, the rest on this host.
 */
@Thorough
@Timeout(7200)
class NetworksTest {
  private static final int MTU = 4200;
  private static final Duration LIMIT = Duration.ofSeconds(600);
  private static final String APPLICATION = "io.nitinol.samples.sgd.DigitTraining";

  /** They would come before the networks, or are slow in the guest, or have no devices there. */
  private static final Pattern LEFT_OUT =
      Pattern.compile("kernels-(?:vector|cuda)|device-cpu|rdma-guest");

  /**
   * A way to carry the same bytes.
   *
   * @param name of its run
   * @param variables by which the application is told
   * @param words what its log says then
   */
  private record Leg(String name, Map<String, String> variables, List<String> words) {}

  /** Those that need the guest's devices, and Socket, whose results all others must have. */
  private static List<Leg> guestLegs() {
    String roce = "rxe0";
    return List.of(
        new Leg("socket", Map.of("NCCL_NET", "Socket"), List.of("Using network Socket")),
        new Leg(
            "libfabric-verbs",
            Map.of(
                "NCCL_NET", "libfabric",
                "NITINOL_OFI_PROVIDER", "verbs",
                "NITINOL_OFI_DOMAIN", roce),
            List.of("Using network libfabric", "provider verbs")),
        new Leg(
            "ib",
            Map.of(
                "NCCL_NET", "IB", "NCCL_IB_HCA", "=" + roce, "NITINOL_IB_CONNECT_MSEC", "600000"),
            List.of("Using network IB")));
  }

  /** Those without devices: the guest's emulated processors would only make them slow. */
  private static List<Leg> hostLegs(Path library) {
    return List.of(
        new Leg(
            "libfabric-tcp",
            Map.of("NCCL_NET", "libfabric", "NITINOL_OFI_PROVIDER", "tcp"),
            List.of("Using network libfabric", "provider tcp")),
        new Leg(
            "native",
            Map.of("NCCL_NET", "Loopback", "NCCL_NET_PLUGIN", library.toString()),
            List.of("Using network Loopback")),
        new Leg(
            "switch",
            Map.of(
                "NCCL_NET", "Socket",
                "NCCL_COLLNET_ENABLE", "1",
                "NITINOL_COLLNET", "Switch",
                "NCCL_ALGO", "allreduce:CollnetDirect,CollnetChain"),
            List.of("Using CollNet Switch")));
  }

  private static GuestCommand run(Leg leg) {
    Map<String, String> variables = new TreeMap<>(leg.variables());
    variables.put("NCCL_SOCKET_IFNAME", "=lo");
    variables.put("NCCL_DEBUG", "INFO");
    variables.put("NITINOL_BOOTSTRAP_TIMEOUT", "600");
    // Several JVMs start on two emulated processors.
    variables.put("NITINOL_OFI_CONNECT_MSEC", "600000");
    String path =
        Stream.of(System.getProperty("nitinol.test.path").split(File.pathSeparator, -1))
            .filter(entry -> !LEFT_OUT.matcher(entry).find())
            .collect(Collectors.joining(File.pathSeparator));
    // Each rank is a host of its own: otherwise they would meet in shared memory.
    String rank =
        "NCCL_HOSTID=host$NITINOL_RANK exec java -Xmx128m --enable-native-access=ALL-UNNAMED -cp '"
            + path
            + "' "
            + APPLICATION
            + " 1";
    return NitinolCommand.of(
        leg.name(), LIMIT, variables, "run", "-n", "2", "--", "sh", "-c", rank);
  }

  /** Returns the lines about losses and results, without those about transports and times. */
  private static List<String> learnt(GuestResult run) throws IOException {
    return run.out()
        .lines()
        .filter(line -> line.startsWith("epoch ") || line.contains(" other digits "))
        .toList();
  }

  @Test
  void theSameApplicationHasTheSameBitsOverEachOfThem() throws Exception {
    Path directory = Files.createDirectories(Guests.directory(NetworksTest.class));
    Path library = compile(directory.resolve("libcarries.so").toAbsolutePath());
    List<Leg> guest = guestLegs();
    List<GuestCommand> commands = guest.stream().map(NetworksTest::run).toList();
    GuestRun run =
        Guests.runWithoutCrash(
            NetworksTest.class, "networks", MTU, LIMIT.multipliedBy(guest.size()), commands);
    List<String> first = learnt(run.result("socket"));
    assertThat(first).as("%s", run.result("socket")).hasSize(2);
    for (Leg leg : guest) {
      check(leg, run.result(leg.name()), first);
    }
    for (Leg leg : hostLegs(library)) {
      check(leg, onThisHost(run(leg), directory), first);
    }
  }

  private static void check(Leg leg, GuestResult result, List<String> first) throws IOException {
    System.err.printf("NetworksTest: %s, %.1f s%n", leg.name(), result.seconds());
    assertThat(result).as("%s: %s", leg, result).returns(0, GuestResult::status);
    assertThat(result.out() + result.err()).as("%s", leg).contains(leg.words());
    assertThat(learnt(result)).as("%s: %s", leg, result).isEqualTo(first);
  }

  /** Runs what a guest would run, by the JDK of this test. */
  private static GuestResult onThisHost(GuestCommand command, Path directory) throws Exception {
    Path out = directory.resolve(command.name() + ".out");
    Path err = directory.resolve(command.name() + ".err");
    String java = Path.of(System.getProperty("java.home"), "bin").toString();
    List<String> words = new ArrayList<>(command.words());
    words.set(0, Path.of(java, words.getFirst()).toString());
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.matches("(?:NCCL|NITINOL)_.*"));
    builder.environment().putAll(command.environment());
    builder.environment().merge("PATH", java, (path, ours) -> ours + File.pathSeparator + path);
    long begin = System.nanoTime();
    Process process = builder.start();
    try {
      assertThat(process.waitFor(command.limit())).as("%s ends within its limit", command).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    double seconds = Duration.ofNanos(System.nanoTime() - begin).toMillis() / 1e3;
    return new GuestResult(
        process.waitFor(), Files.readString(out), Files.readString(err), seconds, directory);
  }

  /** Compiles the native plugin; skips the test, with the reason, where there is no compiler. */
  private static Path compile(Path library) throws Exception {
    Path root = Path.of(System.getProperty("nitinol.root"));
    Path sources = root.resolve("compat-tests/native-plugins/src/main/c");
    List<String> command = new ArrayList<>(List.of("cc", "-std=gnu11", "-O1", "-fPIC", "-shared"));
    command.addAll(List.of("-fvisibility=hidden", "-DONLY=11", "-I" + sources));
    command.add("-I" + root.resolve("net-native/src/main/c"));
    command.addAll(List.of("-o", library.toString(), sources.resolve("loopback.c").toString()));
    command.add("-lpthread");
    Process compiler;
    try {
      compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      String reason = "no C compiler here (cc), hence no native plugin: " + e.getMessage();
      System.err.println(reason);
      return abort(reason);
    }
    String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(compiler.waitFor()).as("%s: %s", command, said).isZero();
    return library;
  }
}
