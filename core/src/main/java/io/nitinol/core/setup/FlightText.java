// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.EngineView;
import io.nitinol.core.progress.FlightRecorder;
import io.nitinol.core.progress.task.Operation;
import io.nitinol.core.shm.HostName;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.MessageHeader;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.JsonString;
import io.nitinol.toolkit.thread.OneThread;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The JSON text of a {@link RankReport}. */
@OneThread
final class FlightText {

  /** As it calls itself; a name for readers only. */
  private static final @Nullable String HOST = host();

  /**
   * The rank that is described.
   *
   * @param communicator the same on all its ranks, and no other's
   * @param name what the application calls it; null where it does not
   * @param peers all its ranks
   * @param transport the name of the transport that reaches a rank; null where none does
   */
  record Subject(
      long communicator,
      @Nullable String name,
      int rank,
      List<PeerInfo> peers,
      IntFunction<@Nullable String> transport) {
    PeerInfo self() {
      return peers.get(rank);
    }
  }

  /**
   * Where the rank stands.
   *
   * @param nowNanos when, by {@link System#nanoTime}
   * @param nowMicros when, in microseconds since 1970
   * @param last the number of the last operation submitted
   * @param done the number of the last operation done
   * @param waits what it waits for
   * @param flows what has gone through its connections over a network
   * @param note why that could not be told; null where it could
   * @param bytes how many bytes the operations have that are done
   * @param moves how many things have happened
   * @param quietNanos for how long nothing has moved although something is pending
   * @param entries the last operations; none where all were replaced while they were read, as
   *     millions of calls in a second do it
   * @param collectivesBegun what counts then
   */
  record State(
      long nowNanos,
      long nowMicros,
      long last,
      long done,
      List<EngineView.Wait> waits,
      List<Connectors.Flow> flows,
      @Nullable String note,
      long bytes,
      long moves,
      long quietNanos,
      List<FlightRecorder.Entry> entries,
      long collectivesBegun) {}

  private final StringBuilder text = new StringBuilder();

  private FlightText() {}

  /**
   * Returns the text of one rank.
   *
   * @param reason why it is written
   * @param failure what ended the communicator; null where nothing did
   * @param around how many operations are told of those that are done, and as many of the others
   */
  static String of(
      Subject subject, String reason, @Nullable CommException failure, State state, int around) {
    FlightText made = new FlightText();
    StringBuilder text = made.text;
    text.append("{\"format\":\"nitinol-flight-recorder\",\"version\":1,\"communicator\":");
    made.quote(Long.toHexString(subject.communicator()));
    text.append(",\"name\":");
    made.quote(subject.name());
    text.append(",\"rank\":").append(subject.rank());
    text.append(",\"size\":").append(subject.peers().size());
    made.appendPlace(subject);
    text.append(",\"reason\":");
    made.quote(reason);
    text.append(",\"failure\":");
    made.quote(failure == null ? null : failure.getMessage());
    text.append(",\"failed_rank\":").append(failure == null ? -1 : failure.failedRank());
    made.append(state, subject, around);
    return text.append("}\n").toString();
  }

  /** Tells which process this is, and which ranks are on its host. */
  private void appendPlace(Subject subject) {
    text.append(",\"host\":");
    quote(HOST);
    text.append(",\"pid\":").append(ProcessHandle.current().pid());
    text.append(",\"process\":");
    quote(Long.toHexString(subject.self().pid()));
    text.append(",\"ranks_of_host\":[");
    String comma = "";
    for (PeerInfo peer : subject.peers()) {
      if (peer.host() == subject.self().host()) {
        text.append(comma).append(peer.rank());
        comma = ",";
      }
    }
    text.append(']');
  }

  private void append(State state, Subject subject, int around) {
    long collectives = state.entries().isEmpty() ? state.collectivesBegun() : 0;
    long collectivesDone = collectives;
    for (FlightRecorder.Entry entry : state.entries()) {
      collectives = entry.collectives();
      if (entry.sequence() <= state.done()) {
        collectivesDone = collectives;
      }
    }
    text.append(",\"written_us\":").append(state.nowMicros());
    text.append(",\"submitted\":").append(state.last());
    text.append(",\"completed\":").append(state.done());
    text.append(",\"collectives\":").append(collectives);
    text.append(",\"collectives_done\":").append(collectivesDone);
    text.append(",\"bytes\":").append(state.bytes());
    text.append(",\"moves\":").append(state.moves());
    text.append(",\"quiet_us\":").append(TimeUnit.NANOSECONDS.toMicros(state.quietNanos()));
    text.append(",\"note\":");
    quote(state.note());
    text.append(",\"waits\":[");
    String comma = "";
    for (EngineView.Wait wait : state.waits()) {
      text.append(comma).append("{\"rank\":").append(wait.rank()).append(",\"process\":");
      quote(Long.toHexString(subject.peers().get(wait.rank()).pid()));
      text.append(",\"transport\":");
      quote(subject.transport().apply(wait.rank()));
      text.append(",\"for\":");
      quote(wait.what());
      text.append('}');
      comma = ",";
    }
    appendFlows(state.flows());
    text.append("],\"operations\":[");
    comma = "\n";
    for (FlightRecorder.Entry entry : state.entries()) {
      long ahead = entry.sequence() - state.done();
      if (ahead <= -around || ahead > around) {
        continue;
      }
      text.append(comma);
      append(entry, state.done(), state.nowMicros(), state.nowNanos());
      comma = ",\n";
    }
    text.append(']');
  }

  private void appendFlows(List<Connectors.Flow> flows) {
    text.append("],\"links\":[");
    String comma = "";
    for (Connectors.Flow flow : flows) {
      text.append(comma).append("{\"rank\":").append(flow.peer());
      text.append(",\"channel\":").append(flow.channel());
      text.append(",\"use\":");
      quote(flow.use().name().toLowerCase(Locale.ROOT));
      text.append(flow.sends() ? ",\"sent\":" : ",\"arrived\":").append(flow.messages());
      if (!flow.sends()) {
        text.append(",\"expected\":").append(flow.messages() + flow.pending());
      }
      text.append('}');
      comma = ",";
    }
  }

  private void append(FlightRecorder.Entry entry, long done, long nowMicros, long nowNanos) {
    long header = entry.header();
    text.append("{\"sequence\":").append(entry.sequence());
    text.append(",\"number\":").append(entry.number());
    if (entry.isBatch()) {
      text.append(",\"collective\":\"send_recv\",\"call\":");
      quote(ErrorText.of("a batch with %d send and receive lists", entry.transfers()));
    } else {
      Collective collective = Collective.ofCode(MessageHeader.collective(header));
      DataType type = DataType.ofCode(MessageHeader.type(header));
      text.append(",\"collective\":");
      quote(collective == null ? null : collective.label());
      text.append(",\"call\":");
      quote(Operation.describeAsked(header, entry.countWord()));
      text.append(",\"count\":").append(MessageHeader.count(entry.countWord()));
      text.append(",\"type\":");
      quote(type == null ? null : type.label());
      text.append(",\"operator\":");
      quote(Operation.operator(MessageHeader.op(header)).strip());
      text.append(",\"root\":").append(MessageHeader.root(header)).append(",\"way\":");
      quote(Choice.describe(MessageHeader.choice(header, entry.countWord())));
    }
    text.append(",\"state\":");
    boolean ended = entry.sequence() <= done;
    quote(ended ? "done" : entry.begun() != 0 ? "begun" : "submitted");
    time("submitted_us", entry.submitted(), nowMicros, nowNanos);
    time("begun_us", entry.begun(), nowMicros, nowNanos);
    time("ended_us", ended ? entry.ended() : 0, nowMicros, nowNanos);
    text.append('}');
  }

  private void time(String name, long nanos, long nowMicros, long nowNanos) {
    text.append(",\"").append(name).append("\":");
    if (nanos == 0 || nanos == FlightRecorder.UNTIMED) {
      text.append("null");
    } else {
      text.append(nowMicros - TimeUnit.NANOSECONDS.toMicros(nowNanos - nanos));
    }
  }

  private static @Nullable String host() {
    String named = HostName.self();
    return named == null ? null : named.substring(0, named.lastIndexOf('/'));
  }

  private void quote(@Nullable String value) {
    if (value == null) {
      text.append("null");
      return;
    }
    JsonString.append(text, value);
  }
}
