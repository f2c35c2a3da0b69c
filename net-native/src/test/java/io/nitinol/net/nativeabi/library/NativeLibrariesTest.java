// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.library;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.plugin.FoundLibrary;
import io.nitinol.core.plugin.PluginKind;
import io.nitinol.net.nativeabi.dl.SignalHandlers;
import io.nitinol.net.nativeabi.plugin.TestLibrary;
import io.nitinol.spi.net.v6.Net;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Libraries are looked for under the names that NCCL makes of an entry. */
class NativeLibrariesTest {

  @Test
  void namesAreThoseThatNcclTries() {
    assertThat(LibraryNames.of(PluginKind.NET, "")).containsExactly("libnccl-net.so");
    assertThat(LibraryNames.of(PluginKind.NET, "aws")).containsExactly("aws", "libnccl-net-aws.so");
    assertThat(LibraryNames.of(PluginKind.NET, "./x")).containsExactly("./x");
    assertThat(LibraryNames.of(PluginKind.NET, "libx.so")).containsExactly("libx.so");
    assertThat(LibraryNames.of(PluginKind.NET, "libx"))
        .containsExactly("libx", "libnccl-net-libx.so");
    assertThat(LibraryNames.isProgram("static_plugin")).isTrue();
    assertThat(LibraryNames.isProgram("S")).isFalse();
  }

  @Test
  void failuresSayWhatWasTriedAndWhy() {
    FoundLibrary nothing = new NativeLibraries().find(PluginKind.NET, "there-is-none");
    assertThat(nothing.plugins()).isEmpty();
    assertThat(nothing.failures()).hasSize(2);
    assertThat(nothing.failures().get(0)).contains("there-is-none").contains("cannot open");
    assertThat(nothing.failures().get(1)).contains("libnccl-net-there-is-none.so");
    assertThat(new NativeLibraries().find(PluginKind.NET, "x".repeat(300)).failures())
        .containsExactly("longer than 254 characters");
  }

  @Test
  void aLibraryWithoutPluginsSaysSo() {
    FoundLibrary libc = new NativeLibraries().find(PluginKind.NET, "libc.so.6");
    assertThat(libc.plugins()).isEmpty();
    assertThat(libc.failures().getFirst()).contains("exports neither ncclNetPlugin_v2 to _v12");
  }

  @Test
  void theProgramItselfHasNoPlugin() {
    FoundLibrary program = new NativeLibraries().find(PluginKind.NET, "STATIC_PLUGIN");
    assertThat(program.plugins()).isEmpty();
    assertThat(program.failures().getFirst()).startsWith("the program itself exports neither");
  }

  @Test
  void allVersionsOfALibraryAreFound() {
    String file = TestLibrary.of("loopback").file().toString();
    FoundLibrary found = new NativeLibraries().find(PluginKind.NET, file);
    assertThat(found.location()).isEqualTo(file);
    assertThat(found.failures()).isEmpty();
    assertThat(found.plugins())
        .extracting(FoundLibrary.Plugin::symbol)
        .as("versions 2 and 3 are hidden by version 4")
        .containsExactlyElementsOf(
            List.of(12, 11, 10, 9, 8, 7, 6, 5, 4).stream()
                .map(v -> "ncclNetPlugin_v" + v)
                .toList());
    assertThat(new NativeLibraries().find(PluginKind.NET, file)).as("opened once").isSameAs(found);
    FoundLibrary old =
        new NativeLibraries()
            .find(PluginKind.NET, TestLibrary.of("loopback", "-DONLY=2").file().toString());
    assertThat(old.plugins()).hasSize(1);
    assertThat(old.plugins().getFirst().version()).isEqualTo(4);
    assertThat(old.plugins().getFirst().symbol()).isEqualTo("ncclNetPlugin_v2");
  }

  @Test
  void theNewestStructNamesThePluginWhateverTheOthersSay() {
    FoundLibrary found =
        new NativeLibraries()
            .find(PluginKind.NET, TestLibrary.of("loopback", "-DNAMED").file().toString());
    assertThat(found.plugins())
        .hasSize(9)
        .allMatch(plugin -> plugin.name().equals("Loopback v12"))
        .filteredOn(plugin -> plugin.version() == 6)
        .extracting(plugin -> ((Net) plugin.factory().get()).name())
        .containsExactly("Loopback v12");
  }

  @Test
  void handlersOfSignalsThatALibraryReplacesArePutBack() {
    try (Arena arena = Arena.ofConfined()) {
      SignalHandlers before = SignalHandlers.now(arena);
      FoundLibrary found =
          new NativeLibraries()
              .find(
                  PluginKind.NET,
                  TestLibrary.of("wrong", "-DONLY=8", "-DFAULT=LOAD_HANDLERS").file().toString());
      assertThat(before.restore()).as("still to be put back").isEmpty();
      assertThat(found.plugins()).hasSize(1);
      assertThat(found.failures().getFirst()).contains("has set handlers for SIGBUS, SIGSEGV");
    }
  }

  @Test
  void collectivesAreFoundBesideTheNetwork() {
    FoundLibrary found =
        new NativeLibraries().find(PluginKind.NET, TestLibrary.of("collective").file().toString());
    assertThat(found.plugins().stream().filter(p -> p.kind() == PluginKind.COLLNET)).hasSize(9);
    assertThat(found.plugins().stream().filter(p -> p.kind() == PluginKind.NET)).hasSize(9);
  }

  @Test
  void aBrokenStructIsToldOfAndTheOthersStay() {
    FoundLibrary found =
        new NativeLibraries()
            .find(
                PluginKind.NET,
                TestLibrary.of("wrong", "-DONLY=8", "-DFAULT=NO_INIT").file().toString());
    assertThat(found.plugins()).isEmpty();
    assertThat(found.failures().getFirst()).contains("ncclNetPlugin_v8").contains("init is null");
  }
}
