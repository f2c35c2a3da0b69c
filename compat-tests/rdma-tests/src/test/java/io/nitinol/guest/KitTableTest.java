// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KitTableTest {
  private static final String BROKEN =
      """
      IB from module io.nitinol.net.ib (net-ib/target/classes), quick, seed 1
      rule           result   tests        ms  why
      SEL-01         ok           4     17228
      NET-INIT-02    skipped      1     28199  init could not be made to fail
      NET-CLOSE-08   FAILED       1     34492  the process of the test ended with status 1
      NET-MEM-04     blocked      1        20  NET-ERR-01

      NET-CLOSE-08 is broken: After 1,000 connections have been opened.

      IB BREAKS the contract: 94 rules kept, 1 broken, 1 blocked, 22 skipped; 188 tests on 1 lane, 28 not run; quick, seed 1442580332, 352.1 s
      """;

  @TempDir private Path reports;

  private void report(String directory, String text) throws Exception {
    Path out = Files.createDirectories(reports.resolve(directory)).resolve("out");
    Files.writeString(out, text);
    Files.setLastModifiedTime(
        out,
        FileTime.from(
            LocalDateTime.of(2026, 3, 4, 5, 6).atZone(ZoneId.systemDefault()).toInstant()));
  }

  @Test
  void aRowForEachWay() throws Exception {
    report("a/a", BROKEN);
    report("b/b", "IB from module io.nitinol.net.ib\n");
    report("c/c", BROKEN);
    report(
        "c/again/c",
        "IB conforms to the contract: 1 rules kept, 0 broken, 0 blocked, 0 skipped; 3 tests on 1"
            + " lane, 0 not run; quick, seed 1, 7.7 s\n");
    assertThat(KitTable.lines(reports, List.of("a", "b", "c", "d")))
        .map(line -> line.replaceAll(" +", " "))
        .containsExactly(
            "way kept broken blocked skipped took ended not kept",
            "a 94 1 1 22 352.1 s 2026-03-04 05:06 NET-CLOSE-08 NET-MEM-04",
            "b 2026-03-04 05:06 has not come to its end",
            "c 1 0 0 0 7.7 s 2026-03-04 05:06",
            "d not run");
  }
}
