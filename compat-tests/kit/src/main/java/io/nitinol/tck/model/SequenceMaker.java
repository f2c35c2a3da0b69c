// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.tck.model.ModelTerms.Happening;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Draws a legal sequence of steps: receives, sends and tests of one or several connections in any
 * order, bursts beyond what a plugin holds, connections that come late, close early or stand still,
 * and whatever else the terms have happen. The same seed gives the same sequence. Used for one
 * sequence.
 */
public final class SequenceMaker {
  private static final int TRIES_PER_STEP = 8;
  private static final int MOST_TAGS = 3;

  /** More receives than a plugin has to hold at once (NET-RECV-02). */
  private static final int BURST = 40;

  /** How many steps of a hundred are no message, where lives are played. */
  private static final int EVENTS = 30;

  /** How many steps lives have beside as many as messages alone. */
  private static final int SOME_MORE = 16;

  /** How many contexts there are beside the first one. */
  private static final int MOST_CONTEXTS = 2;

  /** How many connections there are one after another, all together. */
  private static final int MOST_LIVES = 14;

  /** The bytes that the pieces of a connection have together, about. */
  private static final int MOST_BYTES = 1 << 20;

  private static final int[] ROOMS = {0, 1, 7, 63, 64, 257, 1000, 4096, 16_391, 65_539, 200_001};

  private static final int[] TAGS = {
    0, 1, 2, 3, -1, 255, 256, 0x10001, Integer.MIN_VALUE, Integer.MAX_VALUE
  };

  /** Tags that are alike differ in one of these bits. */
  private static final int LEAST_UPPER = 8;

  private static final int UPPER = 24;

  /** How one connection is used. */
  private static final class Habit {
    final int room;
    final int[] tags;
    final int most;
    final boolean still;

    Habit(int room, int[] tags, int most, boolean still) {
      this.room = room;
      this.tags = tags;
      this.most = most;
      this.still = still;
    }
  }

  private final Random random;
  private final ModelTerms terms;
  private final NetModel model;
  private final List<NetStep> steps = new ArrayList<>();
  private final List<Habit> habits = new ArrayList<>();
  private final List<Boolean> opened = new ArrayList<>();

  /** The numbers of the connections that may be open at the same time. */
  private final List<Integer> current = new ArrayList<>();

  private SequenceMaker(Random random, ModelTerms terms, int connections) {
    this.random = random;
    this.terms = terms;
    this.model = new NetModel(terms);
    int still = connections > 1 && random.nextInt(3) > 0 ? random.nextInt(connections) : -1;
    for (int i = 0; i < connections; i++) {
      current.add(add(habit(i == still)));
    }
  }

  private int add(Habit habit) {
    habits.add(habit);
    opened.add(false);
    return habits.size() - 1;
  }

  /**
   * Returns a sequence.
   *
   * @param mostConnections how many connections it has at the most; of several it has two at least
   */
  public static List<NetStep> make(long seed, ModelTerms terms, int mostConnections) {
    Random random = new Random(seed);
    int connections = mostConnections == 1 ? 1 : 2 + random.nextInt(mostConnections - 1);
    int length = 6 + random.nextInt(random.nextInt(4) == 0 ? 160 : 40);
    SequenceMaker maker = new SequenceMaker(random, terms, connections);
    return maker.has(Happening.LIVES) ? maker.lives(length) : maker.draw(length);
  }

  private Habit habit(boolean still) {
    int room = (int) Math.min(ROOMS[random.nextInt(ROOMS.length)], terms.mostBytes());
    int several = terms.maxRecvs() == 1 || random.nextInt(3) == 0 ? 1 : MOST_TAGS;
    int[] tags = new int[several];
    boolean alike = random.nextInt(3) == 0;
    for (int i = 0; i < several; i++) {
      int any = TAGS[random.nextInt(TAGS.length)];
      tags[i] = alike && i > 0 ? tags[0] ^ (1 << (LEAST_UPPER + random.nextInt(UPPER))) : any;
    }
    return new Habit(room, tags, MOST_BYTES / Math.max(room, 1), still);
  }

  /** Lives need contexts from their beginning, and time. */
  private List<NetStep> lives(int length) {
    for (int context = 1; has(Happening.CONTEXTS) && context <= MOST_CONTEXTS; context++) {
      if (random.nextInt(3) > 0) {
        take(new NetStep.OpenContext(context));
      }
    }
    return draw(steps.size() + length + SOME_MORE);
  }

  private List<NetStep> draw(int length) {
    for (int tries = TRIES_PER_STEP * length; tries > 0 && steps.size() < length; tries--) {
      int place = random.nextInt(current.size());
      int connection = current.get(place);
      if (has(Happening.LIVES) && random.nextInt(100) < EVENTS) {
        happen(place);
      } else if (!opened.get(connection)) {
        opened.set(connection, true);
        int listener = random.nextInt(2);
        take(open(connection, listener));
      } else if (!habits.get(connection).still || isNew(connection) || random.nextInt(20) == 0) {
        advance(connection);
      }
    }
    return List.copyOf(steps);
  }

  private boolean has(Happening happening) {
    return terms.scope().has(happening);
  }

  private NetStep open(int connection, int listener) {
    int room = habits.get(connection).room;
    if (!has(Happening.LIVES)) {
      return new NetStep.Open(connection, listener, room);
    }
    return new NetStep.Open(
        connection,
        NetStep.Open.listenerOf(context(), listener),
        room,
        context(),
        random.nextInt(terms.scope().devices().size()));
  }

  /** Draws one of the contexts that are open. */
  private int context() {
    List<Integer> further = List.copyOf(model.contexts());
    int drawn = random.nextInt(further.size() + 1);
    return drawn == 0 ? 0 : further.get(drawn - 1);
  }

  /** Something that is no message. */
  private void happen(int place) {
    int connection = current.get(place);
    boolean isOpened = opened.get(connection);
    int chance = random.nextInt(100);
    if (chance < 32) {
      WrongCall[] calls = WrongCall.values();
      refuse(connection, isOpened, calls[random.nextInt(calls.length)]);
    } else if (chance < 42) {
      if (isOpened) {
        take(new NetStep.RegisterAgain(connection, true));
      }
    } else if (chance < 54) {
      if (isOpened) {
        take(new NetStep.GiveUp(connection, random.nextBoolean()));
      }
      replace(place);
    } else if (chance < 59) {
      if (isOpened) {
        close(connection);
      }
      replace(place);
    } else if (chance < 65) {
      fail(place);
    } else if (chance < 71) {
      if (has(Happening.SINCE_V5)) {
        take(new NetStep.GiveUpConnect(context(), random.nextBoolean()));
      }
    } else if (chance < 76) {
      retire(place);
    } else if (has(Happening.CONTEXTS)) {
      changeContexts(chance);
    }
  }

  private void refuse(int connection, boolean isOpened, WrongCall call) {
    boolean known =
        (has(Happening.SINCE_V5) || call != WrongCall.RECV_TOO_MANY)
            && (has(Happening.CONTEXTS) || !call.needsContexts())
            && (has(Happening.HINTS) || !call.needsOptions());
    if (isOpened && known && has(Happening.REFUSALS)) {
      take(new NetStep.Refuse(connection, call));
    }
  }

  private void fail(int place) {
    int connection = current.get(place);
    if (opened.get(connection)
        && has(Happening.REFUSALS)
        && terms.mostBytes() >= FailedReceive.LENGTH) {
      take(new NetStep.Finish(connection));
      take(new NetStep.Fail(connection));
      if (random.nextBoolean()) {
        take(new NetStep.Close(connection, random.nextBoolean()));
      }
    }
  }

  private void changeContexts(int chance) {
    int context = 1 + random.nextInt(MOST_CONTEXTS);
    if (!model.contexts().contains(context)) {
      take(new NetStep.OpenContext(context));
    } else if (chance < 90) {
      model.endOf(context).forEach(this::take);
    } else {
      take(new NetStep.Announce(context, random.nextBoolean() ? 1 : -1));
    }
  }

  /** Closes a connection that has failed. */
  private void retire(int place) {
    int connection = current.get(place);
    if (opened.get(connection) && !model.connection(connection).isOpen()) {
      take(new NetStep.Close(connection, true));
      take(new NetStep.Close(connection, false));
    }
    replace(place);
  }

  /** Has another connection take the place of one that is over, with other habits. */
  private void replace(int place) {
    int connection = current.get(place);
    if (opened.get(connection)
        && model.connection(connection).isClosed(true)
        && model.connection(connection).isClosed(false)
        && habits.size() < MOST_LIVES) {
      current.set(place, add(habit(false)));
    }
  }

  /** A connection that stands still has something under way. */
  private boolean isNew(int connection) {
    ModelConnection own = model.connection(connection);
    return own.messages() + own.pieces() < 2;
  }

  private void advance(int connection) {
    int chance = random.nextInt(100);
    if (chance < 27) {
      post(connection);
    } else if (chance < 54) {
      send(connection);
    } else if (chance < 76) {
      take(new NetStep.TestOne(connection, random.nextBoolean(), random.nextInt(BURST)));
    } else if (chance < 84) {
      take(new NetStep.TestAll(connection));
    } else if (chance < 86) {
      burst(connection);
    } else if (chance < 89) {
      take(new NetStep.Flush(connection));
    } else if (chance < 92) {
      take(new NetStep.RegisterAgain(connection));
    } else if (chance < 96) {
      take(new NetStep.Finish(connection));
    } else if (chance < 98) {
      take(new NetStep.CloseListener(random.nextInt(2)));
    } else if (chance < 99) {
      take(new NetStep.Rest(20 + random.nextInt(400)));
    } else {
      close(connection);
    }
  }

  private void post(int connection) {
    Habit habit = habits.get(connection);
    int pieces =
        random.nextBoolean() ? 1 : 1 + random.nextInt(Math.min(terms.maxRecvs(), 2 * MOST_TAGS));
    if (model.connection(connection).pieces() + pieces > habit.most) {
      return;
    }
    List<Integer> tags = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      tags.add(habit.tags[random.nextInt(habit.tags.length)]);
    }
    boolean hinted = has(Happening.HINTS) && random.nextInt(6) == 0;
    take(new NetStep.Post(connection, tags, hinted));
  }

  private void send(int connection) {
    Habit habit = habits.get(connection);
    if (model.connection(connection).messages() < habit.most) {
      int tag = habit.tags[random.nextInt(habit.tags.length)];
      take(new NetStep.Send(connection, tag, length(habit.room)));
    }
  }

  private int length(int room) {
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> room;
      case 2 -> Math.min(room, 1 + random.nextInt(9));
      default -> random.nextInt(room + 1);
    };
  }

  /** One sort of step very often, of one tag, so that the plugin has no more room. */
  private void burst(int connection) {
    Habit habit = habits.get(connection);
    if (habit.tags.length > 1) {
      return;
    }
    boolean sends = random.nextBoolean();
    for (int i = 0; i < BURST; i++) {
      if (sends) {
        send(connection);
      } else if (model.connection(connection).pieces() < habit.most) {
        take(new NetStep.Post(connection, List.of(habit.tags[0])));
      }
    }
  }

  private void close(int connection) {
    boolean first = random.nextBoolean();
    take(new NetStep.Finish(connection));
    take(new NetStep.Close(connection, first));
    take(new NetStep.Close(connection, !first));
  }

  private void take(NetStep step) {
    if (model.objection(step) == null) {
      model.apply(step);
      steps.add(step);
    }
  }
}
