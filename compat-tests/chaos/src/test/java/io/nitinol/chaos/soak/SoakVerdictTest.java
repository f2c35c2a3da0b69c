// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Footprints of an hour with 300 communicators a minute. */
class SoakVerdictTest {
  private static final Map<String, Long> FLAT =
      Map.of(
          Footprint.RESIDENT, 380_000L,
          Footprint.RESIDENT_OF_RANKS, 300_000L,
          Footprint.HEAP, 15_000L,
          Footprint.NATIVE, 290_000L,
          Footprint.NATIVE_OF_RANKS, 5_000L,
          Footprint.DESCRIPTORS, 33L,
          Footprint.THREADS, 17L);

  /** Returns footprints of which one figure grows by {@code perMinute}. */
  private static SoakVerdict verdict(String figure, double perMinute, int footprints) {
    List<Footprint> all = new ArrayList<>();
    for (int i = 0; i < footprints; i++) {
      double minute = i * 60.0 / footprints;
      Map<String, Long> figures = new HashMap<>(FLAT);
      figures.put(Footprint.COMMUNICATORS, Math.round(300 * minute));
      figures.merge(figure, Math.round(perMinute * minute), Long::sum);
      all.add(new Footprint(minute, new TreeMap<>(figures)));
    }
    return new SoakVerdict("rank 3", all);
  }

  @ParameterizedTest
  @CsvSource({
    "resident-of-ranks, 330, 250",
    "heap, 80, 60",
    "native-of-ranks, 40, 30",
    "descriptors, 0.11, 0.06",
    "threads, 0.11, 0.06"
  })
  void aLeakIsFoundAndNamed(String figure, double leak, double flat) {
    SoakVerdict found = verdict(figure, leak, 120);
    assertThat(found.isFlat()).isFalse();
    assertThat(found.lines().stream().filter(line -> line.endsWith("GREW")))
        .singleElement()
        .asString()
        .contains(figure + " ");
    assertThat(verdict(figure, flat, 120).isFlat()).isTrue();
  }

  @Test
  void residentMemoryOfTheJvmItselfMayGrow() {
    assertThat(verdict(Footprint.RESIDENT, 1000, 120).isFlat()).isTrue();
  }

  @Test
  void bytesForEachCommunicatorAreTold() {
    // 30 KiB and 300 communicators a minute
    assertThat(verdict(Footprint.HEAP, 30, 120).lines())
        .anyMatch(line -> line.contains("heap") && line.matches(".* 10[0-9]\\.[0-9]"));
  }

  @Test
  void partsThatGrewAreNamed() {
    assertThat(verdict("fd.socket:[n]", 1, 120).lines()).contains("  grown: fd.socket:[n] +30");
    assertThat(verdict("nmt.Other", 100, 120).lines()).contains("  grown: nmt.Other +3000");
  }

  @Test
  void fewFootprintsAreNotJudged() {
    SoakVerdict verdict = verdict(Footprint.HEAP, 0, 11);
    assertThat(verdict.isFlat()).isFalse();
    assertThat(verdict.lines()).containsExactly("rank 3: 11 footprints are too few to judge");
  }
}
