// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.ResultCode;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects of different lengths. */
class ObjectCallsTest {
  /** What an application would send. */
  private record Shard(String name, int first) implements Serializable {}

  private static final ObjectInputFilter SHARDS =
      ObjectInputFilter.Config.createFilter(Shard.class.getName() + ";java.base/*;!*");

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  void objectsOfAllRanks(int n) throws Exception {
    List<Communicator> ranks = Communicator.initAll(n, RankThreads.config(n));
    try {
      List<String> results =
          RankThreads.each(
              ranks,
              rank -> {
                int r = rank.rank();
                int root = n - 1;
                ObjectCalls<String> texts = rank.objects(ObjectCodec.ofText());
                List<String> parts = new ArrayList<>();
                for (int i = 0; i < n; i++) {
                  parts.add("part" + i);
                }
                return texts.broadcast(r == root ? "root" + r : null, root)
                    + texts.allGather("x".repeat(3 * r)) // that of rank 0 is empty
                    + texts.gather("r" + r, root)
                    + texts.scatter(r == root ? parts : null, root);
              });
      List<String> all = new ArrayList<>();
      List<String> names = new ArrayList<>();
      for (int r = 0; r < n; r++) {
        all.add("x".repeat(3 * r));
        names.add("r" + r);
      }
      for (int r = 0; r < n; r++) {
        assertThat(results.get(r))
            .isEqualTo("root" + (n - 1) + all + (r == n - 1 ? names : List.of()) + "part" + r);
      }
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  @Test
  void javasSerializationReadsWhatTheFilterAllows() throws Exception {
    List<Communicator> ranks = Communicator.initAll(2, RankThreads.config(2));
    try {
      ObjectCodec<Shard> codec = ObjectCodec.serialized(Shard.class, SHARDS);
      List<List<Shard>> results =
          RankThreads.each(
              ranks,
              rank -> rank.objects(codec).allGather(new Shard("s" + rank.rank(), rank.rank())));
      assertThat(results).containsOnly(List.of(new Shard("s0", 0), new Shard("s1", 1)));
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  @Test
  void aClassThatTheFilterDoesNotNameIsNotCreated() {
    byte[] other =
        ObjectCodec.serialized(ArrayList.class, info -> ObjectInputFilter.Status.ALLOWED)
            .encode(new ArrayList<>(Collections.singleton(new StringBuilder("any"))));
    ObjectCodec<ArrayList> codec =
        ObjectCodec.serialized(
            ArrayList.class,
            ObjectInputFilter.Config.createFilter("java.util.ArrayList;java.lang.Object;!*"));
    assertThatThrownBy(() -> codec.decode(other))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("cannot read a java.util.ArrayList")
        .hasMessageContaining("REJECTED");
  }

  /** The bytes are those of one array, so that the test needs a part of the memory only. */
  @ParameterizedTest
  @ValueSource(strings = {"scatter", "gather", "all_gather"})
  @Timeout(120)
  void objectsThatNoArrayHoldsAreRefusedOnAllRanks(String call) throws Exception {
    int n = 8;
    byte[] large = new byte[1 << 28];
    ObjectCodec<String> codec =
        new ObjectCodec<>() {
          @Override
          public byte[] encode(String object) {
            return large;
          }

          @Override
          public String decode(byte[] bytes) {
            throw new AssertionError("nothing can come");
          }
        };
    List<Communicator> ranks = Communicator.initAll(n, RankThreads.config(n));
    try {
      List<CommException> refusals =
          RankThreads.each(
              ranks,
              rank -> {
                ObjectCalls<String> objects = rank.objects(codec);
                try {
                  switch (call) {
                    case "scatter" -> objects.scatter(Collections.nCopies(n, "any"), 1);
                    case "gather" -> objects.gather("any", 1);
                    default -> objects.allGather("any");
                  }
                  throw new AssertionError("not refused");
                } catch (CommException e) {
                  return e;
                }
              });
      for (int r = 0; r < n; r++) {
        assertThat(refusals.get(r).result()).isEqualTo(ResultCode.INVALID_ARGUMENT);
        assertThat(refusals.get(r))
            .hasMessage(
                (call.equals("scatter") ? "scatter: objects is " : call + ": object is ")
                    + (call.equals("scatter") && r != 1
                        ? "too large on rank 1"
                        : "2147483648 bytes for all ranks together")
                    + "; expected at most 2147483639 for all ranks together");
      }
      assertThat(RankThreads.each(ranks, RankThreads::sumOfRanks))
          .containsOnly(RankThreads.gauss(n));
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  @Test
  void aListOfAnotherLengthThanRanksIsRefused() {
    List<Communicator> ranks = Communicator.initAll(1, RankThreads.config(1));
    try {
      assertThatThrownBy(
              () -> ranks.getFirst().objects(ObjectCodec.ofText()).scatter(List.of("a", "b"), 0))
          .hasMessage("scatter: objects is a list of 2; expected one for each of 1 ranks");
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  /** The others would wait for the object of that rank until the communicator fails. */
  @ParameterizedTest
  @ValueSource(strings = {"broadcast", "scatter", "gather", "all_gather"})
  void aRankThatHasNoObjectIsNamedOnAllRanksWhichGoOn(String call) throws Exception {
    int n = 3;
    List<Communicator> ranks = Communicator.initAll(n, RankThreads.config(n));
    try {
      List<CommException> refusals =
          RankThreads.each(
              ranks,
              rank -> {
                ObjectCalls<String> texts = rank.objects(ObjectCodec.ofText());
                String mine = rank.rank() == 1 ? none() : "any";
                try {
                  switch (call) {
                    case "broadcast" -> texts.broadcast(mine, 1);
                    case "scatter" -> texts.scatter(Arrays.asList("any", none(), "any"), 1);
                    case "gather" -> texts.gather(mine, 0);
                    default -> texts.allGather(mine);
                  }
                  throw new AssertionError("not refused");
                } catch (CommException e) {
                  return e;
                }
              });
      for (int r = 0; r < n; r++) {
        assertThat(refusals.get(r).result()).isEqualTo(ResultCode.INVALID_ARGUMENT);
        assertThat(refusals.get(r))
            .hasMessageStartingWith(
                call + ": object is " + (r == 1 ? "null" : "not given by rank 1") + "; expected ");
      }
      assertThat(RankThreads.each(ranks, RankThreads::sumOfRanks))
          .containsOnly(RankThreads.gauss(n));
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 2, 4})
  void aListThatIsNotOneOfAllRanksIsRefusedOnAllOfThem(int length) throws Exception {
    int n = 3;
    List<Communicator> ranks = Communicator.initAll(n, RankThreads.config(n));
    try {
      List<CommException> refusals =
          RankThreads.each(
              ranks,
              rank -> {
                try {
                  throw new AssertionError(
                      rank.objects(ObjectCodec.ofText())
                          .scatter(length < 0 ? null : Collections.nCopies(length, "any"), 2));
                } catch (CommException e) {
                  return e;
                }
              });
      assertThat(refusals.get(2)).hasMessageStartingWith("scatter: objects is ");
      assertThat(refusals.get(0)).hasMessageContaining("not given by rank 2");
      assertThat(RankThreads.each(ranks, RankThreads::sumOfRanks))
          .containsOnly(RankThreads.gauss(n));
    } finally {
      ranks.forEach(Communicator::close);
    }
  }

  /** Returns what a caller without a check for null gives. */
  @SuppressWarnings("NullAway")
  private static String none() {
    return null;
  }

  @Test
  void whatTheCodecThrowsIsWhatTheCallerGets() throws Exception {
    ObjectCodec<String> codec =
        new ObjectCodec<>() {
          @Override
          public byte[] encode(String object) {
            throw new UnsupportedOperationException("no bytes for " + object);
          }

          @Override
          public String decode(byte[] bytes) {
            throw new AssertionError("nothing can come");
          }
        };
    List<Communicator> ranks = Communicator.initAll(2, RankThreads.config(2));
    try {
      List<RuntimeException> thrown =
          RankThreads.each(
              ranks,
              rank -> {
                try {
                  throw new AssertionError(rank.objects(codec).broadcast("any", 0));
                } catch (RuntimeException e) {
                  return e;
                }
              });
      assertThat(thrown.get(0)).hasMessage("no bytes for any");
      assertThat(thrown.get(1)).hasMessageContaining("not given by rank 0");
    } finally {
      ranks.forEach(Communicator::close);
    }
  }
}
