// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.net.nativeabi.dl.SharedLibrary;
import io.nitinol.net.nativeabi.ffi.NetTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A C plugin of compat-tests, compiled when a test first wants it. */
public record TestLibrary(Path file) {
  private static final Path SOURCES = Path.of("../compat-tests/native-plugins/src/main/c");
  private static final Path HEADERS = Path.of("src/main/c");
  private static final Map<List<String>, TestLibrary> BUILT = new HashMap<>();

  /**
   * Compiles a source, once for each set of options; skips the test where there is no compiler.
   *
   * @param source its name without {@code .c}
   * @param options options of the compiler
   */
  public static synchronized TestLibrary of(String source, String... options) {
    List<String> key = new ArrayList<>(List.of(options));
    key.addFirst(source);
    return BUILT.computeIfAbsent(key, k -> compile(source, options));
  }

  private static TestLibrary compile(String source, String... options) {
    assumeTrue(hasCompiler(), "no C compiler here (cc): there is no native plugin to load");
    try {
      Path directory = Files.createTempDirectory("nitinol-native");
      Path file = directory.resolve("libnccl-net-" + source + ".so");
      List<String> command =
          new ArrayList<>(List.of("cc", "-std=gnu11", "-O1", "-fPIC", "-shared"));
      command.addAll(
          List.of("-fvisibility=hidden", "-Wno-unused-function", "-Wno-unused-variable"));
      command.addAll(List.of("-I" + HEADERS.toAbsolutePath(), "-I" + SOURCES.toAbsolutePath()));
      command.addAll(List.of(options));
      command.addAll(List.of("-o", file.toString(), SOURCES.resolve(source + ".c").toString()));
      command.add("-lpthread");
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).as("%s: %s", command, said).isZero();
      // The JVM deletes in the reverse order, and a directory only when it is empty.
      directory.toFile().deleteOnExit();
      file.toFile().deleteOnExit();
      return new TestLibrary(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Opens it, and makes a Java plugin of its network of a version. */
  VersionedNet net(int version) throws IOException {
    SharedLibrary library = SharedLibrary.open(file.toString());
    String symbol = NetTable.of(version).symbol();
    NativeOffer offer =
        NativePlugins.net(version, library.symbol(symbol).orElseThrow(), file.toString(), null);
    return new VersionedNet(offer.factory().get(), version);
  }

  private static boolean hasCompiler() {
    try {
      Process process = new ProcessBuilder("cc", "--version").redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
