// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.tck.model.NetStep.Close;
import io.nitinol.tck.model.NetStep.CloseContext;
import io.nitinol.tck.model.NetStep.CloseListener;
import io.nitinol.tck.model.NetStep.Finish;
import io.nitinol.tck.model.NetStep.Open;
import io.nitinol.tck.model.NetStep.OpenContext;
import io.nitinol.tck.model.NetStep.Post;
import io.nitinol.tck.model.NetStep.Send;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The search for the shortest sequence that fails, on errors that are planted without a network.
 */
class ShortestFailureTest {
  private static final ModelTerms TERMS = new ModelTerms(8, 24, 1 << 30);

  private static <T> ShortestFailure<T> search(
      List<T> steps, UnaryOperator<List<T>> legalPart, Predicate<List<T>> fails, int mostRuns) {
    return new ShortestFailure<>(steps, legalPart, fails, mostRuns, () -> true);
  }

  @Test
  void fourStepsThatMatterAreLeftOfMany() {
    List<Integer> steps = IntStream.range(0, 200).boxed().toList();
    ShortestFailure<Integer> search =
        search(steps, part -> part, part -> part.containsAll(List.of(3, 77, 78, 190)), 1000);
    search.leaveOut();
    assertThat(search.shortest()).containsExactly(3, 77, 78, 190);
    assertThat(search.runs()).isLessThan(200);
  }

  @Test
  void theBoundsEndTheSearchWithWhatItHas() {
    List<Integer> steps = IntStream.range(0, 64).boxed().toList();
    ShortestFailure<Integer> search = search(steps, part -> part, part -> part.contains(60), 2);
    search.leaveOut();
    assertThat(search.runs()).isEqualTo(2);
    assertThat(search.shortest()).hasSizeLessThan(64).contains(60);
    ShortestFailure<Integer> late =
        new ShortestFailure<>(steps, part -> part, _ -> true, 1000, () -> false);
    late.keep(step -> step == 1);
    late.leaveOut();
    late.simplify(List::of);
    assertThat(late.runs()).isZero();
    assertThat(late.shortest()).isEqualTo(steps);
  }

  @Test
  void whatIsNotLegalIsNotRun() {
    List<Integer> steps = List.of(1, 2, 3, 4);
    UnaryOperator<List<Integer>> legalPart = part -> part.contains(1) ? part : List.of();
    ShortestFailure<Integer> search = search(steps, legalPart, part -> part.contains(4), 1000);
    search.leaveOut();
    assertThat(search.shortest()).containsExactly(1, 4);
  }

  @Test
  void withAStepGoThoseThatAreNotLegalWithoutIt() {
    List<NetStep> steps =
        List.of(
            new OpenContext(1),
            new Open(0, 2, 64, 1, 0),
            new Open(1, 0, 64),
            new Send(0, 1, 8),
            new Send(1, 1, 8),
            new Finish(0),
            new Close(0, true),
            new Close(0, false),
            new CloseListener(2),
            new CloseContext(1));
    ShortestFailure<NetStep> search =
        search(
            steps,
            part -> NetModel.legalPart(TERMS, part),
            part -> part.contains(new Send(1, 1, 8)),
            100);
    search.keep(step -> !(step instanceof OpenContext));
    assertThat(search.shortest()).containsExactly(new Open(1, 0, 64), new Send(1, 1, 8));
    assertThat(search.runs()).isEqualTo(1);
  }

  @Test
  void theSearchKnowsWhetherNoStepCanBeLeftOut() {
    List<Integer> steps = IntStream.range(0, 64).boxed().toList();
    Predicate<List<Integer>> fails = part -> part.contains(60) || part.contains(-60);
    ShortestFailure<Integer> whole = search(steps, part -> part, fails, 1000);
    assertThat(whole.isMinimal()).isFalse();
    whole.leaveOut();
    assertThat(whole.isMinimal()).isTrue();
    int most = whole.runs();
    assertThat(whole.replace(List.of(-60))).isTrue();
    assertThat(whole.isMinimal()).isFalse();
    for (int runs = 0; runs < most; runs++) {
      ShortestFailure<Integer> cut = search(steps, part -> part, fails, runs);
      cut.leaveOut();
      assertThat(cut.isMinimal()).as("after %d runs", runs).isFalse();
    }
  }

  @Test
  void aReceiveOfManyPiecesEndsWithOne() {
    List<NetStep> steps = List.of(new Open(0, 0, 64), new Post(0, List.of(1, 2, 3, 4, 5, 6)));
    ShortestFailure<NetStep> search =
        search(
            steps,
            part -> NetModel.legalPart(TERMS, part),
            part -> part.stream().anyMatch(step -> step instanceof Post),
            100);
    search.simplify(NetStep::simpler);
    assertThat(search.shortest()).containsExactly(new Open(0, 0, 64), new Post(0, List.of(1)));
  }

  @Test
  void stepsAreMadeSimplerUntilNoneCanBe() {
    // The first number may go down once the second one has.
    ShortestFailure<Integer> search =
        search(List.of(2, 2), part -> part, part -> part.getFirst() >= part.getLast(), 100);
    search.simplify(number -> number == 0 ? List.of() : List.of(number - 1));
    assertThat(search.shortest()).containsExactly(0, 0);
  }

  /** An error that needs two connections, a zero-byte message and a receive of two pieces. */
  private static boolean isPlanted(List<NetStep> steps) {
    boolean beside = false;
    boolean empty = false;
    for (NetStep step : steps) {
      switch (step) {
        case Open open -> beside |= open.connection() == 1;
        case Send send -> empty |= send.connection() == 0 && send.length() == 0;
        case Post post -> {
          if (beside && empty && post.connection() == 0 && post.tags().size() > 1) {
            return true;
          }
        }
        default -> {}
      }
    }
    return false;
  }

  @Test
  void aPlantedErrorOfFourStepsIsFoundInAtMostSix() {
    int found = 0;
    for (long seed = 0; seed < 300; seed++) {
      List<NetStep> steps = SequenceMaker.make(seed, TERMS, 4);
      if (!isPlanted(steps)) {
        continue;
      }
      found++;
      ShortestFailure<NetStep> search =
          search(
              steps, part -> NetModel.legalPart(TERMS, part), ShortestFailureTest::isPlanted, 500);
      for (int connection = 0; connection < 4; connection++) {
        int left = connection;
        search.keep(step -> step.connection() != left);
      }
      search.leaveOut();
      search.simplify(NetStep::simpler);
      assertThat(search.shortest()).as("of %s", steps).hasSize(4);
      assertThat(search.shortest())
          .anySatisfy(step ->
              assertThat(step)
                  .isInstanceOfSatisfying(Post.class, post -> assertThat(post.tags()).hasSize(2)));
    }
    assertThat(found).isGreaterThan(20);
  }

  @Test
  void simplerStepsTakeThePlaceOfOthers() {
    List<NetStep> steps =
        List.of(new Open(0, 0, 1000), new Post(0, List.of(1, 1, 1)), new Send(0, 1, 900));
    ShortestFailure<NetStep> search =
        search(
            steps,
            part -> NetModel.legalPart(TERMS, part),
            part ->
                part.stream().anyMatch(step -> step instanceof Send)
                    && part.stream()
                        .anyMatch(step -> step instanceof Post post && post.tags().size() > 1),
            100);
    search.simplify(NetStep::simpler);
    assertThat(search.shortest())
        .containsExactly(new Open(0, 0, 64), new Post(0, List.of(1, 1)), new Send(0, 1, 16));
  }

  @Test
  void aTestOfOneOperationMayBeThatOfTheOldest() {
    NetStep.TestOne oldest = new NetStep.TestOne(0, true, 0);
    assertThat(new NetStep.TestOne(0, true, 7).simpler()).containsExactly(oldest);
    assertThat(oldest.simpler()).isEmpty();
    assertThat(oldest.text()).isEqualTo("c0: test of the oldest send in flight");
  }
}
