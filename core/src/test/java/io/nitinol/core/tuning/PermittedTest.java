// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.Collective;
import io.nitinol.spi.tuner.Algorithm;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PermittedTest {
  private final List<String> warnings = new ArrayList<>();

  private Permitted<Algorithm> parse(String text) {
    return Permitted.parse(
        "NCCL_ALGO",
        text,
        Algorithm.class,
        CoreVariables.ALGORITHMS,
        List.of("nvls", "pat"),
        warnings::add);
  }

  private static Set<Algorithm> of(Permitted<Algorithm> permitted, Collective collective) {
    Set<Algorithm> result = EnumSet.noneOf(Algorithm.class);
    for (Algorithm each : Algorithm.values()) {
      if (permitted.permits(collective, each)) {
        result.add(each);
      }
    }
    return result;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ring|RING|RING",
        "Ring,TREE|TREE,RING|TREE,RING",
        "^ring|TREE,DIRECT,DOUBLING,HIERARCHY,PAIRS,COLLNET_CHAIN,COLLNET_DIRECT|TREE,DIRECT,DOUBLING,HIERARCHY,PAIRS,COLLNET_CHAIN,COLLNET_DIRECT",
        "ring;allreduce:tree|TREE|RING",
        "ring;all_reduce:^tree,direct|RING,DOUBLING,HIERARCHY,PAIRS,COLLNET_CHAIN,COLLNET_DIRECT|RING",
        "allreduce:tree|TREE|TREE,RING,DIRECT,DOUBLING,HIERARCHY,PAIRS,COLLNET_CHAIN,COLLNET_DIRECT",
        " ring , tree ; |TREE,RING|TREE,RING",
        "ring,nvls|RING|RING",
        "CollnetChain,collnet_direct|COLLNET_CHAIN,COLLNET_DIRECT|COLLNET_CHAIN,COLLNET_DIRECT",
        "^nvls|TREE,RING,DIRECT,DOUBLING,HIERARCHY,PAIRS,COLLNET_CHAIN,COLLNET_DIRECT|TREE,RING,DIRECT,DOUBLING,HIERARCHY,PAIRS,COLLNET_CHAIN,COLLNET_DIRECT",
      })
  void listsAreReadAsInNccl(String text, String allReduce, String broadcast) {
    Permitted<Algorithm> permitted = parse(text);
    assertThat(of(permitted, Collective.ALL_REDUCE)).isEqualTo(set(allReduce));
    assertThat(of(permitted, Collective.BROADCAST)).isEqualTo(set(broadcast));
    assertThat(warnings).isEmpty();
  }

  private static Set<Algorithm> set(String names) {
    Set<Algorithm> result = EnumSet.noneOf(Algorithm.class);
    for (String name : names.split(",")) {
      result.add(Algorithm.valueOf(name));
    }
    return result;
  }

  @Test
  void emptyPermitsEverything() {
    assertThat(of(parse(""), Collective.REDUCE)).isEqualTo(EnumSet.allOf(Algorithm.class));
    assertThat(parse("").isStrict(Collective.ALL_REDUCE)).isFalse();
  }

  @Test
  void aListIsStrictForWhatItNamesAndForAllReduce() {
    assertThat(parse("tree").isStrict(Collective.ALL_REDUCE)).isTrue();
    assertThat(parse("tree").isStrict(Collective.BROADCAST)).isFalse();
    assertThat(parse("broadcast:tree").isStrict(Collective.BROADCAST)).isTrue();
  }

  @Test
  void namesThatAreNotKnownAreSaidAndLeftOut() {
    assertThat(of(parse("rign,tree"), Collective.ALL_REDUCE)).isEqualTo(set("TREE"));
    assertThat(warnings).singleElement().asString().contains("NCCL_ALGO=rign,tree", "\"rign\"");
  }

  /** PAIRS is for what is no schedule: the names are those of the documentation. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rign|\"rign\" is not known; expected names of tree, ring, direct, doubling, hierarchy, CollnetChain, CollnetDirect in any case; using the default, all of them",
        "pairs|\"pairs\" is not known; expected names of tree, ring, direct, doubling, hierarchy, CollnetChain, CollnetDirect in any case; using the default, all of them",
        "nvls|there is no nvls without a GPU; expected names of tree, ring, direct, doubling, hierarchy, CollnetChain, CollnetDirect in any case; using the default, all of them",
        "rign,tree|\"rign\" is not known; expected names of tree, ring, direct, doubling, hierarchy, CollnetChain, CollnetDirect in any case; the other names count",
      })
  void aNameThatMeansNothingIsSaidWithWhatIsDoneInstead(String text, String sentence) {
    parse(text);
    assertThat(warnings).containsExactly("NCCL_ALGO=" + text + ": " + sentence);
  }

  @Test
  void aListOfNothingKnownPermitsEverything() {
    assertThat(of(parse("rign"), Collective.ALL_REDUCE)).hasSize(Algorithm.values().length);
    assertThat(warnings).hasSize(1);
  }

  @Test
  void collectivesThatAreNotKnownAreSaid() {
    assertThat(of(parse("allredcue:tree"), Collective.ALL_REDUCE))
        .hasSize(Algorithm.values().length);
    assertThat(warnings).singleElement().asString().contains("\"allredcue\"");
  }
}
