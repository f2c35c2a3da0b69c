// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SharedNamesTest {

  @Test
  void aNameInTwoModulesIsFound() {
    assertThat(SharedNames.of(Map.of("one", List.of("a.X", "a.Y"), "two", List.of("b.c.X"))))
        .containsExactly(Map.entry("X", Set.of("a.X", "b.c.X")));
  }

  @Test
  void versionsBindingsAndPackageInfosMayHaveOneName() {
    assertThat(
            SharedNames.of(
                Map.of(
                    "one", List.of("a.v1.Net", "a.v2.Net", "a.package-info", "a.ffi.Dl"),
                    "two", List.of("b.package-info", "b.ffi.Dl", "b.ffi.more.Dl", "b.Other"))))
        .isEmpty();
  }
}
