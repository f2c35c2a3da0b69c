// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Draws a legal sequence of steps: receives, sends and tests of one or several connections in any
 * order, bursts beyond what a plugin holds, connections that come late, close early or stand still.
 * The same seed gives the same sequence. Used for one sequence.
 */
public final class SequenceMaker {
  private static final int TRIES_PER_STEP = 8;
  private static final int MOST_TAGS = 3;

  /** More receives than a plugin has to hold at once (NET-RECV-02). */
  private static final int BURST = 40;

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

  private SequenceMaker(Random random, ModelTerms terms, int connections) {
    this.random = random;
    this.terms = terms;
    this.model = new NetModel(terms);
    int still = connections > 1 && random.nextInt(3) > 0 ? random.nextInt(connections) : -1;
    for (int i = 0; i < connections; i++) {
      habits.add(habit(i == still));
      opened.add(false);
    }
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
    return new SequenceMaker(random, terms, connections).draw(length);
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

  private List<NetStep> draw(int length) {
    for (int tries = TRIES_PER_STEP * length; tries > 0 && steps.size() < length; tries--) {
      int connection = random.nextInt(habits.size());
      if (!opened.get(connection)) {
        opened.set(connection, true);
        int listener = random.nextInt(2);
        take(new NetStep.Open(connection, listener, habits.get(connection).room));
      } else if (!habits.get(connection).still || isNew(connection) || random.nextInt(20) == 0) {
        advance(connection);
      }
    }
    return List.copyOf(steps);
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
    take(new NetStep.Post(connection, tags));
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
