// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PluginOriginTest {
  @ParameterizedTest
  @CsvSource({
    "/opt/plugins/foo.jar, foo.jar",
    "/home/u/net-foo/target/classes, net-foo",
    "/home/u/net-foo/target/classes/, net-foo",
    "/home/u/net-foo/build/classes/java/main, net-foo",
    "class path, class path",
    "/target/classes, /target/classes",
    "libnccl-net-foo.so, libnccl-net-foo.so"
  })
  void aShortNameTellsOnePluginFromAnother(String location, String name) {
    assertThat(new PluginOrigin(false, null, location).shortName()).isEqualTo(name);
  }

  @ParameterizedTest
  @CsvSource({"net.foo, module net.foo"})
  void aModuleIsItsName(String module, String name) {
    assertThat(new PluginOrigin(true, module, "/a/target/classes").shortName()).isEqualTo(name);
  }
}
