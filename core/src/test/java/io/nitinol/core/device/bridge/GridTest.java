// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GridTest {
  private static TeamPlaces places(String teams, int rank) {
    List<Integer> numbers = new ArrayList<>();
    List<Integer> indices = new ArrayList<>();
    for (char team : teams.toCharArray()) {
      indices.add(Collections.frequency(numbers, team - 'A'));
      numbers.add(team - 'A');
    }
    return new TeamPlaces(rank, numbers, indices);
  }

  private static List<Integer> order(Grid grid) {
    return IntStream.range(0, grid.size()).mapToObj(grid::rankAt).toList();
  }

  /** The places by column, in each by row. */
  @ParameterizedTest
  @CsvSource({
    "AB, 2, 1, '[0, 1]', 2 teams of 1",
    "AABB, 2, 2, '[0, 2, 1, 3]', 2 teams of 2",
    "ABAB, 2, 2, '[0, 1, 2, 3]', 2 teams of 2",
    "ABBA, 2, 2, '[0, 1, 3, 2]', 2 teams of 2",
    "ABC, 3, 1, '[0, 1, 2]', 3 teams of 1",
    "AAABBB, 2, 3, '[0, 3, 1, 4, 2, 5]', 2 teams of 3",
    "AAB, 3, 1, '[0, 1, 2]', 2 teams of 1 to 2",
    "BAAB, 2, 2, '[1, 0, 2, 3]', 2 teams of 2",
    "BAA, 3, 1, '[0, 1, 2]', 2 teams of 1 to 2",
  })
  void hasTheTeamsAsRows(String teams, int rows, int columns, String order, String words) {
    for (int rank = 0; rank < teams.length(); rank++) {
      TeamPlaces places = places(teams, rank);
      Grid grid = new Grid(places);
      assertThat(grid.rows()).isEqualTo(rows);
      assertThat(grid.columns()).isEqualTo(columns);
      assertThat(order(grid)).hasToString(order);
      assertThat(places.inWords()).isEqualTo(words);
      assertThat(grid.rankAt(grid.column() * rows + grid.row())).isEqualTo(rank);
      assertThat(grid.rowOf(rank)).isEqualTo(grid.row());
      assertThat(grid.columnOf(rank)).isEqualTo(grid.column());
      if (columns > 1) {
        assertThat(grid.row()).isEqualTo(places.team());
        assertThat(grid.column()).isEqualTo(places.index());
      }
    }
  }

  @Test
  void placesThatDoNotGoTogetherAreRefused() {
    refused(0, List.of(0, 1), List.of(0));
    refused(2, List.of(0, 1), List.of(0, 0));
    refused(0, List.of(0, 2), List.of(0, 0));
    refused(0, List.of(0, 0), List.of(0, 0));
    refused(0, List.of(0, 1), List.of(0, 1));
    refused(0, List.of(1, 1), List.of(0, 1));
    refused(0, List.of(-1, 0), List.of(0, 0));
  }

  private static void refused(int rank, List<Integer> teams, List<Integer> indices) {
    assertThatThrownBy(() -> new TeamPlaces(rank, teams, indices))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
