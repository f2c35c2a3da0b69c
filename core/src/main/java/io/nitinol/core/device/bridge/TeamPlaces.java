// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;

/**
 * Which rank is where: the ranks of a communicator fall into teams, whose ranks reach each other's
 * device memory. The same on all ranks but for {@code rank}.
 *
 * @param rank this rank in the communicator
 * @param teams for each rank the number of its team; teams are numbered from 0 without gaps
 * @param indices for each rank its number in its team, from 0 without gaps
 */
public record TeamPlaces(int rank, List<Integer> teams, List<Integer> indices) {

  /**
   * Copies the lists and checks the numbers.
   *
   * @throws IllegalArgumentException where they do not go together
   */
  public TeamPlaces {
    teams = List.copyOf(teams);
    indices = List.copyOf(indices);
    if (teams.size() != indices.size() || rank < 0 || rank >= teams.size()) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "rank %d with %d teams and %d indices; expected one of each for every rank",
              rank, teams.size(), indices.size()));
    }
    List<List<Integer>> seen = new ArrayList<>();
    for (int r = 0; r < teams.size(); r++) {
      int team = teams.get(r);
      if (team < 0 || team >= teams.size()) {
        throw new IllegalArgumentException(
            ErrorText.of("rank %d is in team %d of at most %d", r, team, teams.size()));
      }
      while (seen.size() <= team) {
        seen.add(new ArrayList<>());
      }
      seen.get(team).add(indices.get(r));
    }
    for (int team = 0; team < seen.size(); team++) {
      List<Integer> sorted = seen.get(team).stream().sorted().toList();
      for (int i = 0; i < sorted.size(); i++) {
        if (sorted.get(i) != i) {
          sorted = List.of();
        }
      }
      if (sorted.isEmpty()) {
        throw new IllegalArgumentException(
            ErrorText.of(
                "team %d has the indices %s; expected each from 0 on, once", team, seen.get(team)));
      }
    }
  }

  /** Returns how many ranks there are. */
  public int size() {
    return teams.size();
  }

  /** Returns this rank's team. */
  public int team() {
    return teams.get(rank);
  }

  /** Returns this rank's number in its team. */
  public int index() {
    return indices.get(rank);
  }

  /** Returns how many teams there are. */
  public int teamCount() {
    return 1 + teams.stream().mapToInt(Integer::intValue).max().orElse(-1);
  }

  /** Returns how many ranks a team has. */
  public int teamSize(int team) {
    return (int) teams.stream().filter(each -> each == team).count();
  }

  /** Returns how many ranks the smallest team has. */
  public int smallest() {
    int least = size();
    for (int team = 0; team < teamCount(); team++) {
      least = Math.min(least, teamSize(team));
    }
    return least;
  }

  /** Returns how many ranks the largest team has. */
  public int largest() {
    int most = 0;
    for (int team = 0; team < teamCount(); team++) {
      most = Math.max(most, teamSize(team));
    }
    return most;
  }

  /** Returns the teams in words, for example {@code 2 teams of 4}. */
  String inWords() {
    int least = smallest();
    int most = largest();
    return least == most
        ? ErrorText.of("%d teams of %d", teamCount(), most)
        : ErrorText.of("%d teams of %d to %d", teamCount(), least, most);
  }
}
