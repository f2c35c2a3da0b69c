// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FootprintTest {
  private static final String SUMMARY =
      """
      4242:

      Native Memory Tracking:

      (Omitting categories weighting less than 1KB)

      Total: reserved=1500000KB, committed=300000KB
             malloc: 40000KB #90000, peak=45000KB #95000
             mmap:   reserved=1460000KB, committed=260000KB

      -                 Java Heap (reserved=196608KB, committed=196608KB)
                                  (mmap: reserved=196608KB, committed=196608KB, at peak)

      -                     Class (reserved=1048711KB, committed=1200KB)
                                  (classes #5000)
                                  (  instance classes #4700, array classes #300)

      -                    Thread (reserved=30000KB, committed=1500KB)
                                  (threads #29)

      -                      Code (reserved=247500KB, committed=20000KB)

      -                     Other (reserved=7000KB, committed=7000KB)
                                  (malloc=7000KB #120) (peak=9000KB #150)

      -        Shared class space (reserved=16384KB, committed=13000KB, readonly=0KB)

      -                   Unknown (reserved=32KB, committed=32KB)
      """;

  private static final String STATUS =
      """
      Name: java
      VmHWM:   400000 kB
      VmRSS:   370000 kB
      RssAnon:   300000 kB
      RssFile:    60000 kB
      RssShmem:    10000 kB
      Threads: 29
      """;

  @Test
  void nativeMemoryOfRanksIsWithoutTheJvms() {
    SortedMap<String, Long> figures = Footprint.nativeMemory(SUMMARY);
    assertThat(figures)
        .containsEntry(Footprint.NATIVE, 300_000L)
        .containsEntry(Footprint.NATIVE_OF_RANKS, 1500L + 7000 + 32)
        .containsEntry("nmt.Java_Heap", 196_608L)
        .containsEntry("nmt.Shared_class_space", 13_000L)
        .hasSize(9);
    assertThatThrownBy(() -> Footprint.nativeMemory("not enabled"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not enabled");
  }

  @Test
  void residentMemoryOfRanksIsWithoutTheJvmsAndFiles() {
    Map<String, Long> figures = new TreeMap<>(Footprint.nativeMemory(SUMMARY));
    Footprint.addMemory(figures, STATUS);
    assertThat(figures)
        .containsEntry(Footprint.RESIDENT, 370_000L)
        .containsEntry("rss.RssFile", 60_000L)
        .containsEntry(Footprint.RESIDENT_OF_RANKS, 310_000L - 1200 - 20_000 - 13_000);
  }

  @Test
  void aLineReadsAsItWasWritten() {
    SortedMap<String, Long> figures = new TreeMap<>(Map.of("fd.pipe:[n]", 3L, "a=b", -1L));
    assertThat(Footprint.parse(new Footprint(12.5, figures).line()))
        .isEqualTo(new Footprint(12.5, figures));
  }

  @Test
  void objectsOfClassesThatGrewAreNamed() {
    ClassHistogram before =
        ClassHistogram.parse(
            """
             num     #instances         #bytes  class name (module)
            -------------------------------------------------------
               1:          1000         90000  [B (java.base@25)
               2:           500         12000  java.lang.String (java.base@25)
            Total          1500        102000
            """);
    ClassHistogram after =
        ClassHistogram.parse(
            """
               1:          1100         95000  [B (java.base@25)
               2:           400         11000  java.lang.String (java.base@25)
               3:           100          7000  io.nitinol.Leak
            """);
    assertThat(after.grownSince(before, 5))
        .containsExactly(
            "+7000 bytes, +100 objects of io.nitinol.Leak", "+5000 bytes, +100 objects of [B");
    assertThat(after.grownSince(before, 1)).hasSize(1);
  }
}
