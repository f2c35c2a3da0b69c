// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.tck.model.ModelTerms.Happening;
import io.nitinol.tck.model.NetStep.Announce;
import io.nitinol.tck.model.NetStep.Close;
import io.nitinol.tck.model.NetStep.CloseContext;
import io.nitinol.tck.model.NetStep.CloseListener;
import io.nitinol.tck.model.NetStep.Fail;
import io.nitinol.tck.model.NetStep.Finish;
import io.nitinol.tck.model.NetStep.Flush;
import io.nitinol.tck.model.NetStep.GiveUp;
import io.nitinol.tck.model.NetStep.GiveUpConnect;
import io.nitinol.tck.model.NetStep.Open;
import io.nitinol.tck.model.NetStep.OpenContext;
import io.nitinol.tck.model.NetStep.Post;
import io.nitinol.tck.model.NetStep.Refuse;
import io.nitinol.tck.model.NetStep.RegisterAgain;
import io.nitinol.tck.model.NetStep.Rest;
import io.nitinol.tck.model.NetStep.Send;
import io.nitinol.tck.model.NetStep.TestAll;
import io.nitinol.tck.model.NetStep.TestOne;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the model says belongs where, and what a caller may do; there is no network here. */
class NetModelTest {
  private static final ModelTerms EIGHT = new ModelTerms(8, 24, 1 << 30);
  private static final ModelTerms ONE = new ModelTerms(1, 24, 1 << 30);

  private static NetModel model(ModelTerms terms, NetStep... steps) {
    NetModel model = new NetModel(terms);
    List.of(steps).forEach(model::apply);
    return model;
  }

  private static List<Integer> messages(NetModel model) {
    ModelConnection connection = model.connection(0);
    List<Integer> messages = new ArrayList<>();
    for (int piece = 0; piece < connection.pieces(); piece++) {
      messages.add(connection.messageOf(piece));
    }
    return messages;
  }

  @Test
  void theKthMessageOfATagBelongsIntoItsKthPiece() {
    NetModel model =
        model(
            EIGHT,
            new Open(0, 0, 64),
            new Send(0, 7, 1),
            new Post(0, List.of(5, 7, 5)),
            new Send(0, 5, 2),
            new Post(0, List.of(7)),
            new Send(0, 7, 3),
            new Send(0, 5, 4),
            new Send(0, 5, 5));
    assertThat(messages(model)).containsExactly(1, 0, 3, 2);
    assertThat(model.connection(0).receiveOf(3)).isZero();
    assertThat(model.connection(0).receiveOf(4)).isEqualTo(ModelConnection.NONE);
  }

  @Test
  void messagesThatCameFirstKeepTheirOrder() {
    NetModel model =
        model(
            EIGHT,
            new Open(0, 0, 64),
            new Send(0, 7, 1),
            new Send(0, 5, 2),
            new Send(0, 7, 3),
            new Post(0, List.of(7, 7)),
            new Post(0, List.of(5)));
    assertThat(messages(model)).containsExactly(0, 2, 1);
    model = model(EIGHT, new Open(0, 0, 64), new Post(0, List.of(7, 5, 7)), new Send(0, 7, 1));
    model.apply(new Send(0, 7, 2));
    assertThat(messages(model)).containsExactly(0, ModelConnection.NONE, 1);
  }

  @Test
  void finishAddsWhatIsMissingOnEitherSide() {
    NetModel model =
        model(
            EIGHT,
            new Open(0, 0, 4),
            new Post(0, List.of(1, 2)),
            new Send(0, 2, 4),
            new Send(0, 3, 0),
            new Finish(0));
    assertThat(messages(model)).containsExactly(2, 0, 1);
    assertThat(model.connection(0).receives()).isEqualTo(2);
    assertThat(model.connection(0).length(2)).as("no more than there is room for").isEqualTo(4);
    assertThat(model.connection(0).underWay()).isZero();
  }

  @Test
  void aReceiveIsNotCompleteBeforeItAndThoseBeforeItAreFull() {
    ModelConnection connection =
        model(
                EIGHT,
                new Open(0, 0, 9),
                new Post(0, List.of(1)),
                new Post(0, List.of(2, 2)),
                new Send(0, 2, 1),
                new Send(0, 2, 1))
            .connection(0);
    assertThat(connection.obstacle(0, _ -> true)).isZero();
    assertThat(connection.obstacle(1, _ -> true)).as("nothing for receive 0").isZero();
    connection.send(1, 1);
    assertThat(connection.obstacle(1, _ -> true)).isEqualTo(ModelConnection.NONE);
    assertThat(connection.obstacle(1, message -> message != 1)).as("not started").isEqualTo(2);
    assertThat(connection.obstacle(0, message -> message != 1)).isEqualTo(ModelConnection.NONE);
  }

  @Test
  void aCallerMayNotDoEverything() {
    NetModel model = model(ONE, new Open(0, 0, 9), new Post(0, List.of(1)));
    assertThat(model.objection(new Open(0, 1, 9))).isEqualTo("the connection was there before");
    assertThat(model.objection(new Send(1, 1, 1))).isEqualTo("the connection is not open");
    assertThat(model.objection(new Send(0, 1, 10)))
        .isEqualTo("the message is longer than its piece");
    assertThat(model.objection(new Send(0, 2, 1)))
        .isEqualTo("where maxRecvs is 1, a connection has one tag");
    assertThat(model.objection(new Post(0, List.of(1, 1))))
        .isEqualTo("a receive has 1 to maxRecvs pieces");
    assertThat(model.objection(new Close(0, true))).isEqualTo("something is under way");
    assertThat(model.objection(new CloseListener(1))).isEqualTo("the listener is not open");
    model.apply(new Finish(0));
    model.apply(new Close(0, true));
    assertThat(model.objection(new Close(0, true))).isEqualTo("the end is not open");
    assertThat(model.objection(new TestAll(0))).isEqualTo("the connection is not open");
    assertThatThrownBy(() -> model.apply(new TestAll(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("c0: test of each operation in flight: the connection is not open");
  }

  @Test
  void noRoomIsLongerThanTheLongestMessage() {
    NetModel model = new NetModel(new ModelTerms(1, 1, 64));
    assertThat(model.objection(new Open(0, 0, 64))).isNull();
    assertThat(model.objection(new Open(0, 0, 65)))
        .isEqualTo("no message may be as long as the room");
    assertThat(model.objection(new Open(0, 0, -1))).isEqualTo("pieces have no negative room");
  }

  @Test
  void ofSeveralTagsOnlySoMuchIsUnderWay() {
    NetModel model = model(new ModelTerms(2, 2, 1 << 30), new Open(0, 0, 1));
    for (int i = 0; i < 50; i++) {
      model.apply(new Send(0, 4, 1));
    }
    String objection = model.objection(new Send(0, 5, 1));
    assertThat(objection).isEqualTo("too much of several tags is under way");
    model.apply(new Finish(0));
    assertThat(model.objection(new Post(0, List.of(4, 5)))).isNull();
  }

  @Test
  void whatIsLeftEndsWithTheConnectionThatWasUsedFirst() {
    NetModel model =
        model(
            EIGHT,
            new Open(0, 0, 1),
            new Open(1, 0, 1),
            new Open(2, 1, 1),
            new Post(0, List.of(1)),
            new Finish(1),
            new Close(1, true));
    assertThat(model.rest())
        .containsExactly(
            new Close(1, false),
            new Finish(0),
            new Close(0, true),
            new Close(0, false),
            new Finish(2),
            new Close(2, true),
            new Close(2, false),
            new CloseListener(0),
            new CloseListener(1));
  }

  @Test
  void aContextIsClosedWhenNothingOfItIsOpen() {
    NetModel model = model(EIGHT, new OpenContext(1), new Open(0, 2, 8, 0, 0), new Fail(0));
    assertThat(model.objection(new OpenContext(0))).isEqualTo("the context is open");
    assertThat(model.objection(new OpenContext(1))).isEqualTo("the context is open");
    assertThat(model.objection(new Open(1, 0, 8, 2, 0))).isEqualTo("the context is not open");
    assertThat(model.objection(new Open(1, 4, 8))).isEqualTo("the context is not open");
    assertThat(model.objection(new Announce(2, 1))).isEqualTo("the context is not open");
    assertThat(model.objection(new Send(0, 1, 1))).isEqualTo("the connection is not open");
    CloseContext close = new CloseContext(1);
    assertThat(model.objection(close)).isEqualTo("something of the context is open");
    model.apply(new Close(0, false));
    assertThat(model.objection(close)).as("listener").isEqualTo("something of the context is open");
    assertThat(model.objection(new GiveUp(0, true))).isEqualTo("not both ends are open");
    assertThat(model.rest()).containsExactly(new Close(0, true), new CloseListener(2), close);
    assertThat(model.endOf(1)).containsExactly(new CloseListener(2), close);
    model.apply(new CloseListener(2));
    model.apply(close);
    assertThat(model.objection(close)).isEqualTo("no such further context is open");
    assertThat(model.objection(new CloseContext(0))).isEqualTo("no such further context is open");
  }

  @Test
  void aConnectionMayBeGivenUpWithSomethingUnderWay() {
    NetModel model = model(EIGHT, new Open(0, 0, 8), new Post(0, List.of(1)));
    assertThat(model.objection(new Fail(0))).isEqualTo("something is under way");
    model.apply(new GiveUp(0, false));
    assertThat(model.objection(new TestAll(0))).isEqualTo("the connection is not open");
    assertThat(model.rest()).containsExactly(new CloseListener(0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void livesThatAreDrawnAreLegalAndHaveWhatTheTermsHave(boolean all) {
    EnumSet<Happening> happenings =
        all ? EnumSet.allOf(Happening.class) : EnumSet.of(Happening.LIVES);
    ModelTerms terms =
        new ModelTerms(8, 24, 1 << 30, new ModelTerms.Scope(happenings, List.of(0, 3)));
    Set<Object> kinds = new HashSet<>();
    for (long seed = 0; seed < 300; seed++) {
      List<NetStep> steps = SequenceMaker.make(seed, terms, 4);
      assertThat(NetModel.isLegal(terms, steps)).as("seed %d", seed).isTrue();
      assertThat(SequenceMaker.make(seed, terms, 4)).isEqualTo(steps);
      assertThat(NetModel.after(terms, steps).rest()).as("seed %d", seed).isEmpty();
      for (NetStep step : steps) {
        kinds.add(step instanceof Refuse refuse ? refuse.call() : step.getClass());
        assertThat(!all && step instanceof Post post && post.hinted()).isFalse();
      }
    }
    if (all) {
      Set<Object> every = new HashSet<>(Set.of(NetStep.class.getPermittedSubclasses()));
      every.remove(Refuse.class);
      every.addAll(Arrays.asList(WrongCall.values()));
      assertThat(kinds).isEqualTo(every);
    } else {
      assertThat(kinds)
          .contains(GiveUp.class)
          .doesNotContain(OpenContext.class, Fail.class, GiveUpConnect.class)
          .doesNotContain((Object[]) WrongCall.values());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 24, 1, 1000000",
    "1, 8, 4, 1000000",
    "8, 24, 4, 1000000",
    "2, 8, 1, 1000000",
    "8, 24, 4, 10"
  })
  void whatIsDrawnIsLegalAndFollowsFromTheSeed(
      int maxRecvs, int window, int connections, long mostBytes) {
    ModelTerms terms = new ModelTerms(maxRecvs, window, mostBytes);
    List<NetStep> all = new ArrayList<>();
    for (long seed = 0; seed < 500; seed++) {
      List<NetStep> steps = SequenceMaker.make(seed, terms, connections);
      assertThat(NetModel.isLegal(terms, steps)).as("seed %d", seed).isTrue();
      assertThat(SequenceMaker.make(seed, terms, connections)).isEqualTo(steps);
      NetModel end = NetModel.after(terms, steps);
      assertThat(steps)
          .as("rooms")
          .noneMatch(step -> step instanceof Open open && open.room() > mostBytes);
      assertThat(end.rest()).as("what is open at the end, seed %d", seed).isEmpty();
      all.addAll(steps);
    }
    assertThat(all)
        .extracting(Object::getClass)
        .as("every sort of step but those of lives")
        .contains(
            Open.class,
            Post.class,
            Send.class,
            TestOne.class,
            TestAll.class,
            Flush.class,
            RegisterAgain.class,
            Finish.class,
            Close.class,
            CloseListener.class,
            Rest.class)
        .doesNotContain(GiveUp.class, Refuse.class, OpenContext.class);
    assertThat(all).anyMatch(step -> step instanceof Send send && send.length() == 0);
    if (maxRecvs > 1) {
      assertThat(all).anyMatch(step -> step instanceof Post post && post.tags().size() > 1);
    }
  }

  @Test
  void aSequenceMayAskForMoreThanAPluginHolds() {
    int most = 0;
    for (long seed = 0; seed < 200; seed++) {
      NetModel model = new NetModel(ONE);
      for (NetStep step : SequenceMaker.make(seed, ONE, 1)) {
        model.apply(step);
        most = Math.max(most, model.connection(0).underWay());
      }
    }
    assertThat(most).isGreaterThan(32);
  }

  @Test
  void whatIsLeftOutOfALegalSequenceLeavesItLegalUnlessAConnectionIsMissing() {
    Random random = new Random(5);
    for (long seed = 0; seed < 300; seed++) {
      List<NetStep> steps = SequenceMaker.make(seed, EIGHT, 4);
      List<NetStep> part =
          steps.stream()
              .filter(step -> !(step instanceof Close || step instanceof CloseListener))
              .filter(
                  step -> step instanceof Open || step instanceof Finish || random.nextBoolean())
              .toList();
      assertThat(NetModel.isLegal(EIGHT, part)).as("seed %d", seed).isTrue();
    }
  }
}
