// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FlowNetworkTest {
  private final TreeMap<Integer, Long> ends = new TreeMap<>();

  private FlowNetwork network(double... capacities) {
    return new FlowNetwork(capacities, 0, ends::put, null);
  }

  @Test
  void aFlowHasTheNarrowestLinkToItself() {
    FlowNetwork network = network(100, 40, 70);
    int flow = network.add(new int[] {0, 1, 2});
    network.start(flow, 4_000, 0);
    network.settle(0);
    assertThat(network.rateOf(flow)).isEqualTo(40);
    assertThat(ends).containsEntry(flow, 100_000_000L);
  }

  @Test
  void whatOneFlowCannotUseTheOthersGet() {
    FlowNetwork network = network(90, 10);
    int narrow = network.add(new int[] {0, 1});
    int wide = network.add(new int[] {0});
    network.start(narrow, 1_000, 0);
    network.start(wide, 1_000, 0);
    network.settle(0);
    assertThat(network.rateOf(narrow)).isEqualTo(10);
    assertThat(network.rateOf(wide)).isEqualTo(80);
  }

  @Test
  void aFlowThatComesSlowsOnesDownFromThen() {
    FlowNetwork network = network(100);
    int first = network.add(new int[] {0});
    int second = network.add(new int[] {0});
    network.start(first, 1_000, 0);
    network.settle(0);
    network.start(second, 1_000, 5_000_000);
    network.settle(5_000_000);
    assertThat(ends).containsEntry(first, 15_000_000L).containsEntry(second, 25_000_000L);
    network.end(first, 15_000_000);
    network.settle(15_000_000);
    assertThat(ends).containsEntry(second, 20_000_000L);
  }

  @Test
  void incastCostsASharedLinkSomeOfItsCapacity() {
    FlowNetwork network = new FlowNetwork(new double[] {100}, 0.1, ends::put, null);
    int[] flows = new int[9];
    for (int i = 0; i < flows.length; i++) {
      flows[i] = network.add(new int[] {0});
      network.start(flows[i], 1_000, 0);
      network.settle(0);
      double left = Math.max(0.5, 1 - 0.1 * i);
      assertThat(network.rateOf(flows[0])).isCloseTo(100 * left / (i + 1), within(1e-6));
    }
  }

  /** Against filling all links evenly from nothing, for flows that come and go at random. */
  @Test
  void ratesAreMaxMinFair() {
    Random random = new Random(7);
    for (int round = 0; round < 60; round++) {
      int links = 2 + random.nextInt(14);
      double[] capacities = random.doubles(links, 1, 100).toArray();
      FlowNetwork network = network(capacities);
      List<int[]> routes = new ArrayList<>();
      for (int f = 0; f < 25; f++) {
        int[] route =
            random
                .ints(0, links)
                .distinct()
                .limit(1 + random.nextInt(Math.min(4, links)))
                .toArray();
        routes.add(route);
        network.add(route);
      }
      Set<Integer> active = new HashSet<>();
      for (long now = 0; now < 60; now++) {
        int flow = random.nextInt(routes.size());
        if (active.remove(flow)) {
          network.end(flow, now);
        } else {
          active.add(flow);
          network.start(flow, 1L << 40, now);
        }
        network.settle(now);
        double[] fair = fair(capacities, routes, active);
        for (int each : active) {
          assertThat(network.rateOf(each)).isCloseTo(fair[each], within(1e-6 * fair[each]));
        }
      }
    }
  }

  private static double[] fair(double[] capacities, List<int[]> routes, Set<Integer> active) {
    double[] room = capacities.clone();
    double[] rates = new double[routes.size()];
    Set<Integer> open = new HashSet<>(active);
    while (!open.isEmpty()) {
      int narrowest = -1;
      double least = Double.MAX_VALUE;
      for (int link = 0; link < room.length; link++) {
        int wanted = link;
        long users = open.stream().filter(f -> has(routes.get(f), wanted)).count();
        if (users > 0 && room[link] / users < least) {
          least = room[link] / users;
          narrowest = link;
        }
      }
      int full = narrowest;
      for (int flow : List.copyOf(open)) {
        if (has(routes.get(flow), full)) {
          rates[flow] = least;
          open.remove(flow);
          for (int link : routes.get(flow)) {
            room[link] -= least;
          }
        }
      }
    }
    return rates;
  }

  private static boolean has(int[] route, int link) {
    return Arrays.stream(route).anyMatch(each -> each == link);
  }
}
