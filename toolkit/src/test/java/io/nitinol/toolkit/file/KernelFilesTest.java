// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KernelFilesTest {
  @TempDir private Path root;
  private KernelFiles files;

  @BeforeEach
  void begin() {
    files = new KernelFiles(root);
  }

  private Path file(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  @Test
  void aNameIsBelowTheRoot() throws IOException {
    Path mtu = file("sys/class/net/eth0/mtu", " 1500\n");
    assertThat(files.path("/sys/class/net/eth0/mtu")).isEqualTo(mtu);
    assertThat(files.exists("/sys/class/net/eth0/mtu")).isTrue();
    assertThat(files.text("/sys/class/net/eth0/mtu")).isEqualTo("1500");
    assertThat(KernelFiles.text(mtu)).isEqualTo("1500");
  }

  @Test
  void absenceIsAnAnswer() throws IOException {
    file("sys/file", "");
    assertThat(files.exists("/sys/absent")).isFalse();
    assertThat(files.text("/sys/absent")).isNull();
    assertThat(files.text("/sys/file")).as("an empty file is there").isEmpty();
    assertThat(files.names("/sys/absent")).isNull();
  }

  /** A directory stands for a file that answers EINVAL: no user, not even root, can read it. */
  @Test
  void aFileThatCannotBeReadIsNamedAsTheUserKnowsIt() throws IOException {
    Files.createDirectories(root.resolve("sys/odd"));
    assertThatThrownBy(() -> files.text("/sys/odd"))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot read /sys/odd: Is a directory");
  }

  @Test
  void aFileInThePlaceOfADirectoryIsNotAbsent() throws IOException {
    file("sys/file", "");
    assertThatThrownBy(() -> files.names("/sys/file"))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot read /sys/file: Not a directory");
    assertThatThrownBy(() -> files.names("/sys/file/below"))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot read /sys/file/below: Not a directory");
    assertThatThrownBy(() -> files.text("/sys/file/below"))
        .isInstanceOf(IOException.class)
        .hasMessage("cannot read /sys/file/below: Not a directory");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sys/file", "ssys"})
  void aNameBeginsWithASlash(String name) throws IOException {
    file("sys/file", "");
    assertThatThrownBy(() -> files.path(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the kernel's file \"" + name + "\": expected a name that begins with /");
    assertThatThrownBy(() -> files.exists(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namesAreInOrder() throws IOException {
    for (String name : new String[] {"b", "a10", "a9"}) {
      file("sys/" + name, "");
    }
    assertThat(files.names("/sys")).containsExactly("a10", "a9", "b");
  }

  @Test
  void aTextIsReadUpToABound() throws IOException {
    String text = "x".repeat(KernelFiles.MOST_BYTES) + "y";
    file("proc/long", text);
    assertThat(files.text("/proc/long")).hasSize(KernelFiles.MOST_BYTES).doesNotContain("y");
    assertThat(KernelFiles.OF_THIS_MACHINE.text("/dev/zero"))
        .as("a file without an end")
        .hasSize(KernelFiles.MOST_BYTES);
  }

  @Test
  void thisMachineHasItsOwnNames() throws IOException {
    assertThat(KernelFiles.OF_THIS_MACHINE.text("/proc/self/status")).contains("Pid:");
    assertThat(KernelFiles.OF_THIS_MACHINE.names("/proc/self")).contains("status");
  }
}
