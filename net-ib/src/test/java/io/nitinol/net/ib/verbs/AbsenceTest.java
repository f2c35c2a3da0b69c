// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.NetException;
import io.nitinol.spi.testing.RecordingLog;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is missing is a reason, in processes that find another library or none. */
class AbsenceTest {
  private static final String ACCESS = "--enable-native-access=ALL-UNNAMED";

  @TempDir private Path directory;

  /** A process that says what it has. */
  static final class Program {
    private Program() {}

    public static void main(String[] args) {
      PrintStream out = System.out;
      out.println("absence=" + Verbs.absence());
      try (DeviceList list = DeviceList.read()) {
        out.println("devices=" + list.devices());
        out.println("reason=" + list.emptyReason());
        out.println("optional=" + Verbs.hasRelaxedOrdering() + Verbs.hasDmaBuf() + Verbs.hasEce());
        for (VerbsDevice device : list.devices()) {
          out.println("guid=%x".formatted(device.guid()));
          device.open().close();
        }
      } catch (VerbsException e) {
        out.println("call=" + e.call() + ",errno=" + e.errno());
        out.println(e.getMessage());
      }
      if (Verbs.absence() == null) {
        try {
          Verbs.forkInit();
        } catch (VerbsException e) {
          out.println(e.getMessage());
        }
      }
    }
  }

  private String run(String... options) throws IOException, InterruptedException {
    return run(Program.class.getName(), List.of(options));
  }

  private String run(String program, List<String> options)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(
        Stream.of(
                Verbs.class, NetException.class, ErrorText.class, Program.class, RecordingLog.class)
            .map(AbsenceTest::origin)
            .collect(Collectors.joining(":")));
    command.add(program);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("LD_LIBRARY_PATH", directory.toString());
    builder.environment().remove("JDK_JAVA_OPTIONS");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  private static String origin(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private void compile(int count, String error) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-DCOUNT=" + count));
    command.add("-DERROR=" + error);
    for (String source : List.of("fake.c", "never.c")) {
      Path copy = directory.resolve(source);
      try (InputStream in = AbsenceTest.class.getResourceAsStream(source)) {
        Files.copy(in, copy);
      }
      command.add(copy.toString());
    }
    command.addAll(List.of("-o", directory.resolve("libibverbs.so.1").toString()));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes());
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
      assumeTrue(process.exitValue() == 0, "no other library can be made here: " + output);
    } catch (IOException e) {
      assumeTrue(false, "no gcc here to make another library: " + e.getMessage());
    }
  }

  @Test
  void aLibraryThatCannotBeLoaded() throws Exception {
    Files.writeString(directory.resolve("libibverbs.so.1"), "not a library");
    String reason = "libibverbs.so.1 cannot be loaded (Debian: libibverbs1, RHEL: libibverbs)";
    assertThat(run(ACCESS).lines())
        .contains("absence=" + reason, "devices=[]", "reason=" + reason)
        .contains("optional=falsefalsefalse");
  }

  @Test
  void aLibraryThatIsAnotherOne() throws Exception {
    Path other = Path.of("/lib/x86_64-linux-gnu/libm.so.6");
    assumeTrue(Files.exists(other), "no " + other + " here to pass for libibverbs");
    Files.copy(other, directory.resolve("libibverbs.so.1"));
    assertThat(run(ACCESS).lines())
        .contains("reason=libibverbs.so.1 has no function ibv_get_device_list");
  }

  /** Not even a warning is printed on the application's standard error. */
  @Test
  void noAccessToNativeCode() throws Exception {
    String reason = "native access is not enabled for ALL-UNNAMED (java --enable-native-access)";
    assertThat(run().lines())
        .containsExactly(
            "absence=" + reason, "devices=[]", "reason=" + reason, "optional=falsefalsefalse");
  }

  @Test
  void noListOfDevices() throws Exception {
    compile(-1, "0");
    assertThat(run(ACCESS).lines())
        .contains(
            "absence=null",
            "devices=[]",
            "reason=ibv_get_device_list gave nothing: the kernel has no RDMA device class"
                + " (modules ib_core, ib_uverbs)");
  }

  @Test
  void anEmptyList() throws Exception {
    compile(0, "0");
    assertThat(run(ACCESS).lines()).contains("devices=[]", "reason=the machine has no RDMA device");
  }

  @ParameterizedTest
  @CsvSource({
    "EACCES, 13, 'Permission denied (errno 13); may this user read and write'",
    "ENOENT, 2, 'No such file or directory (errno 2); is /dev/infiniband/uverbs* there?'",
    "EMFILE, 24, 'Too many open files (errno 24); the limit of open files'",
    "0, 0, 'no error number was given'"
  })
  void aDeviceThatCannotBeOpened(String name, int number, String text) throws Exception {
    compile(1, name);
    assertThat(run(ACCESS).lines())
        .contains("devices=[fake0]", "reason=null", "optional=falsefalsefalse")
        .contains("guid=123456789abcdef", "call=ibv_open_device,errno=" + number)
        .contains("ibv_fork_init failed: Invalid argument (errno 22)")
        .anySatisfy(line ->
            assertThat(line)
                .startsWith("ibv_open_device of fake0 (/dev/infiniband/uverbs7) failed: " + text));
  }

  /** Before any card is opened; that it cannot be done does not end the search. */
  @Test
  void devicesAreFoundInAProcessThatIsPreparedForForks() throws Exception {
    compile(1, "EACCES");
    assertThat(run("io.nitinol.net.ib.device.DiscoveryProgram", List.of(ACCESS)).lines())
        .anySatisfy(
            line -> assertThat(line).contains("permission denied on /dev/infiniband/uverbs7"))
        .anySatisfy(line ->
            assertThat(line)
                .contains("ibv_fork_init failed: Invalid argument", "in a process that forks"));
  }

  /** This process, with the library of this machine. */
  @Test
  void aMachineWithoutDevices() {
    assumeTrue(Verbs.absence() == null, () -> "no verbs here: " + Verbs.absence());
    assumeTrue(!Files.exists(Path.of("/sys/class/infiniband")), "here are devices");
    try (DeviceList list = DeviceList.read()) {
      assertThat(list.devices()).isEmpty();
      assertThat(list.emptyReason()).contains("the kernel has no RDMA device class");
    }
    Verbs.forkInit();
    assertThat(Verbs.statusText(WorkCompletions.RETRY_EXCEEDED))
        .isEqualTo("transport retry counter exceeded");
    assertThat(Verbs.statusName(99)).isEqualTo("status 99");
    assertThat(Verbs.eventText(AsyncEvent.Type.PORT_ERR.ordinal())).isEqualTo("port error");
    assertThat(AsyncEvent.Type.of(10)).isEqualTo(AsyncEvent.Type.PORT_ERR);
    assertThat(AsyncEvent.Type.of(20)).isEqualTo(AsyncEvent.Type.UNKNOWN);
  }
}
