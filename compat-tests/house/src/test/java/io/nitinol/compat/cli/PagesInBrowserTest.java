// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.nitinol.spi.testing.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages that the command writes, as a headless Chromium shows them. */
@Slow
class PagesInBrowserTest {
  private static final String BACKGROUND = "getComputedStyle(document.body).backgroundColor";
  private static final String INK = "getComputedStyle(document.querySelector('svg text')).fill";

  @TempDir private static Path profile;

  private static @Nullable Browser browser;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws Exception {
    List<String> told = new ArrayList<>();
    Browser started = Browser.start(Browser.NAMES, profile, told::add);
    if (started == null) {
      String why = "there is no browser: " + String.join("; ", told);
      System.err.println("PagesInBrowserTest: no page is looked at: " + why);
      abort(why);
    }
    browser = started;
  }

  @AfterAll
  static void end() throws Exception {
    Browser started = browser;
    if (started != null) {
      started.close();
    }
  }

  private static Browser browser() {
    return Objects.requireNonNull(browser);
  }

  /** Has the command write a page: of two runs, or of a machine. */
  private Path page(String kind) throws Exception {
    Path page = directory.resolve(kind + ".html");
    String[] words;
    if (kind.equals("report")) {
      Path table = Files.writeString(directory.resolve("runs.txt"), RUNS);
      Path other = Files.writeString(directory.resolve("others.txt"), RUNS.replace("12.", "20."));
      words =
          new String[] {"compare", table.toString(), other.toString(), "--report", page.toString()};
    } else {
      words = new String[] {"topo", "--file", machine().toString(), "--page", page.toString()};
    }
    try (CommandProcess command = CommandProcess.start(words)) {
      assertThat(command.exit()).as("%s", command).isZero();
    }
    return page;
  }

  private static final String RUNS =
      """
      # Collective test starting: all_reduce_perf
      #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
      #        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
                 8             2     float     sum      -1    12.10    0.00    0.00      0    12.20    0.00    0.00      0
             65536         16384     float     sum      -1    12.90    5.08    5.08      0    12.80    5.12    5.12      0
           1048576        262144     float     sum      -1   112.50    9.32    9.32      0   112.40    9.33    9.33      0
      """;

  private Path machine() throws Exception {
    return Files.writeString(
        directory.resolve("machine.xml"),
        """
        <system version="1">
          <cpu host_hash="0x1" numaid="0" affinity="000000ff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
            <pci busid="0000:01:00.0" class="0x030200" vendor="0x10de" device="0x2330" subsystem_vendor="0x10de" subsystem_device="0x16c1" link_speed="32.0 GT/s PCIe" link_width="16">
              <gpu dev="0" sm="90" rank="0" gdr="1">
                <nvlink target="0000:02:00.0" count="6" tclass="0x030200"/>
              </gpu>
            </pci>
            <pci busid="0000:02:00.0" class="0x030200" vendor="0x10de" device="0x2330" subsystem_vendor="0x10de" subsystem_device="0x16c1" link_speed="32.0 GT/s PCIe" link_width="16">
              <gpu dev="1" sm="90" rank="1" gdr="1">
                <nvlink target="0000:01:00.0" count="6" tclass="0x030200"/>
              </gpu>
            </pci>
          </cpu>
        </system>
        """);
  }

  @ParameterizedTest
  @ValueSource(strings = {"report", "topology"})
  void aPageAsksForNothingAndFollowsTheScreen(String kind) throws Exception {
    Path page = page(kind);
    browser().open(page, 1200, false);
    assertThat(browser().requests()).containsExactly(page.toUri().toString());
    assertThat(browser().complaints()).isEmpty();
    assertThat(browser().value("document.querySelectorAll('table').length")).isNotEqualTo("0");
    assertThat(browser().value("document.querySelectorAll('svg').length")).isNotEqualTo("0");
    String paper = browser().value(BACKGROUND);
    assertThat(paper).isEqualTo("rgb(255, 255, 255)");
    browser().open(page, 1200, true);
    assertThat(browser().value(BACKGROUND)).isNotEqualTo(paper).isEqualTo("rgb(13, 17, 23)");
    if (kind.equals("report")) {
      assertThat(browser().value(INK)).as("light on dark").isEqualTo("rgb(230, 237, 243)");
    }
  }

  /** No line of a page is wider than the screen; what is wider, a table or drawing, is moved. */
  @ParameterizedTest
  @ValueSource(strings = {"report", "topology"})
  void aNarrowScreenHasNoSidewaysPage(String kind) throws Exception {
    browser().open(page(kind), 400, false);
    assertThat(browser().value("document.documentElement.scrollWidth"))
        .isEqualTo(browser().value("document.documentElement.clientWidth"));
    assertThat(
            Double.parseDouble(
                browser()
                    .value(
                        "Math.min(...[...document.querySelectorAll('svg:not(.key) text')].filter(t =>"
                            + " t.getBoundingClientRect().height > 0).map(t =>"
                            + " t.getBoundingClientRect().height))")))
        .as("the height of the smallest text in a drawing, in pixels")
        .isGreaterThan(9);
  }

  @Test
  void theKeyboardReachesEveryPointAndTable() throws Exception {
    browser().open(page("report"), 1200, false);
    int points = Integer.parseInt(browser().value("document.querySelectorAll('.point').length"));
    assertThat(points)
        .as("four curves of three sizes, and of the two that have a bandwidth")
        .isEqualTo(20);
    List<String> told = new ArrayList<>();
    int tables = 0;
    String kind = "";
    for (int press = 0; press < 2 * points + 40 && !kind.equals("BODY"); press++) {
      browser().tab();
      kind = browser().value("document.activeElement.tagName");
      if (kind.equals("g")) {
        told.add(
            browser()
                .value(
                    "document.activeElement.querySelector('title').textContent + ' '"
                        + " + getComputedStyle(document.activeElement.querySelector('.tip')).visibility"));
      } else if (kind.equals("DIV")) {
        tables++;
      }
    }
    assertThat(told).hasSize(points).allMatch(each -> each.endsWith(" visible"));
    assertThat(tables)
        .isEqualTo(Integer.parseInt(browser().value("document.querySelectorAll('.wide').length")));
  }

  /** The test can see what a page must not do. */
  @Test
  void aPageThatAsksForMoreIsNoticed() throws Exception {
    Path page =
        Files.writeString(
            directory.resolve("wrong.html"),
            Files.readString(page("topology"))
                .replace("</body>", "<img src=\"http://127.0.0.1:1/x.png\"></body>"));
    browser().open(page, 1200, false);
    assertThat(browser().complaints()).anyMatch(each -> each.contains("http://127.0.0.1:1/x.png"));
  }
}
