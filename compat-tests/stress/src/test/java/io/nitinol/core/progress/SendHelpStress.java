// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.task.ActiveConnectors;
import io.nitinol.core.progress.task.StepHelpers;
import io.nitinol.core.team.TeamArea;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The driving thread and a helper that it has asked send by turns, and never at once. */
public class SendHelpStress {

  /** Counts turns without any order of its own. */
  private static final class Counting implements SendConnector, Connectors {
    int turns;

    @Override
    public int progress() {
      turns++;
      return 1;
    }

    @Override
    public boolean movesApart() {
      return true;
    }

    @Override
    public SendConnector sender(int peer, int channel, Use use) {
      return this;
    }

    @Override
    public @Nullable ReceiveConnector receiver(int peer, int channel, Use use) {
      return null;
    }

    @Override
    public @Nullable TeamArea team(int channel, Protocol protocol) {
      return null;
    }

    @Override
    public int missingMember(int channel, Protocol protocol) {
      return -1;
    }

    @Override
    public int peer() {
      return 1;
    }

    @Override
    public int capacity() {
      return 0;
    }

    @Override
    public boolean hasRoom() {
      return true;
    }

    @Override
    public boolean seemsToHaveRoom() {
      return true;
    }

    @Override
    public MemorySegment memory() {
      return MemorySegment.NULL;
    }

    @Override
    public long offset() {
      return 0;
    }

    @Override
    public void send(int bytes) {}

    @Override
    public boolean canForward(ReceiveConnector from) {
      return false;
    }

    @Override
    public long forward(ReceiveConnector from, int bytes) {
      return 0;
    }

    @Override
    public long done() {
      return turns;
    }

    @Override
    public boolean isDrained() {
      return true;
    }

    @Override
    public void close(List<Throwable> errors) {}

    @Override
    public void close() {}
  }

  /** No turn is lost: the number counts turns that two threads have had at once. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "two threads sent at once, or one has not seen the other's")
  @State
  public static class Turns {
    private final Counting connection = new Counting();
    private final SendHelp help;
    private int driven;

    public Turns() {
      ActiveConnectors active = new ActiveConnectors(connection);
      active.sender(1, 0, Connectors.Use.COLLECTIVE);
      CommFailures failures = new CommFailures(0, (rank, reason) -> {});
      help = new SendHelp(StepHelpers.process(), active, failures);
      help.offered();
    }

    @Actor
    public void driver() {
      driven = help.send(true);
      driven += help.send(true);
    }

    @Actor
    public void helper() {
      help.work(MemorySegment.NULL);
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = driven + (int) help.moves() - connection.turns;
    }
  }

  /** What a helper has done is there for the thread that closes. */
  @JCStressTest
  @Outcome(id = "0", expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "it is closed, and a turn is not seen or comes later")
  @State
  public static class Closed {
    private final Counting connection = new Counting();
    private final SendHelp help;
    private int seen = -1;

    public Closed() {
      ActiveConnectors active = new ActiveConnectors(connection);
      active.sender(1, 0, Connectors.Use.COLLECTIVE);
      CommFailures failures = new CommFailures(0, (rank, reason) -> {});
      help = new SendHelp(StepHelpers.process(), active, failures);
      help.offered();
    }

    @Actor
    public void closer() {
      if (help.tryClose()) {
        seen = connection.turns;
      }
    }

    @Actor
    public void helper() {
      help.work(MemorySegment.NULL);
    }

    @Arbiter
    public void look(I_Result r) {
      r.r1 = seen < 0 ? 0 : connection.turns - seen;
    }
  }
}
