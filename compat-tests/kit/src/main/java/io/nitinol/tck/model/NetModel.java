// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A network as the contract has it, without a network: says which step is legal when, and which
 * message belongs into which piece. Whatever part of a legal sequence is left out, what remains is
 * legal, unless a connection or listener is used that is not open, a connection is closed with
 * something under way, or too much of several tags is under way because a {@link NetStep.Finish} is
 * missing. One thread.
 */
public final class NetModel {
  private final ModelTerms terms;

  /** The connection that was used last is the last one. */
  private final Map<Integer, ModelConnection> connections = new LinkedHashMap<>();

  private final Set<Integer> listeners = new TreeSet<>();

  /** Those beside the first one, which is always open. */
  private final Set<Integer> contexts = new TreeSet<>();

  /** A network without connections. */
  public NetModel(ModelTerms terms) {
    this.terms = terms;
  }

  /**
   * Plays a sequence to its end.
   *
   * @return the model as it is then
   * @throws IllegalArgumentException when the sequence is not legal
   */
  public static NetModel after(ModelTerms terms, List<NetStep> steps) {
    NetModel model = new NetModel(terms);
    steps.forEach(model::apply);
    model.rest().forEach(model::apply);
    return model;
  }

  /** Returns whether every step of a sequence is legal where it stands. */
  public static boolean isLegal(ModelTerms terms, List<NetStep> steps) {
    return legalPart(terms, steps).size() == steps.size();
  }

  /** Returns a sequence without the steps that are not legal where they stand. */
  static List<NetStep> legalPart(ModelTerms terms, List<NetStep> steps) {
    NetModel model = new NetModel(terms);
    List<NetStep> legal = new ArrayList<>();
    for (NetStep step : steps) {
      if (model.objection(step) == null) {
        model.apply(step);
        legal.add(step);
      }
    }
    return legal;
  }

  /** Returns the reason why a caller may not take this step now; null if it may. */
  public @Nullable String objection(NetStep step) {
    return switch (step) {
      case NetStep.Open open -> ofOpen(open);
      case NetStep.CloseListener close ->
          listeners.contains(close.listener()) ? null : "the listener is not open";
      case NetStep.Rest _ -> null;
      case NetStep.Close close -> ofClose(close);
      case NetStep.OpenContext open -> isContext(open.context()) ? "the context is open" : null;
      case NetStep.CloseContext close -> ofCloseContext(close.context());
      case NetStep.Announce announce -> ofContext(announce.context());
      case NetStep.GiveUpConnect attempt -> ofContext(attempt.context());
      case NetStep.GiveUp give -> ofGiveUp(connections.get(give.connection()));
      default -> {
        ModelConnection connection = connections.get(step.connection());
        yield connection == null || !connection.isOpen()
            ? "the connection is not open"
            : switch (step) {
              case NetStep.Post post -> ofPost(connection, post.tags());
              case NetStep.Fail _ -> connection.underWay() > 0 ? "something is under way" : null;
              case NetStep.Send send ->
                  send.length() < 0 || send.length() > connection.room()
                      ? "the message is longer than its piece"
                      : ofTags(connection, List.of(send.tag()));
              default -> null;
            };
      }
    };
  }

  private @Nullable String ofOpen(NetStep.Open open) {
    if (connections.containsKey(open.connection())) {
      return "the connection was there before";
    }
    String context = ofContext(open.context());
    if (context == null) {
      context = ofContext(NetStep.Open.contextOf(open.listener()));
    }
    return context == null ? ofRoom(open.room()) : context;
  }

  private boolean isContext(int context) {
    return context == 0 || contexts.contains(context);
  }

  private @Nullable String ofContext(int context) {
    return isContext(context) ? null : "the context is not open";
  }

  private @Nullable String ofCloseContext(int context) {
    if (!contexts.contains(context)) {
      return "no such further context is open";
    }
    boolean used =
        listeners.stream().anyMatch(listener -> NetStep.Open.contextOf(listener) == context)
            || connections.values().stream().anyMatch(each -> each.isIn(context));
    return used ? "something of the context is open" : null;
  }

  private static @Nullable String ofGiveUp(@Nullable ModelConnection connection) {
    return connection == null || connection.isClosed(true) || connection.isClosed(false)
        ? "not both ends are open"
        : null;
  }

  private @Nullable String ofRoom(int room) {
    if (room < 0) {
      return "pieces have no negative room";
    }
    return room > terms.mostBytes() ? "no message may be as long as the room" : null;
  }

  private @Nullable String ofClose(NetStep.Close close) {
    ModelConnection connection = connections.get(close.connection());
    if (connection == null || connection.isClosed(close.sending())) {
      return "the end is not open";
    }
    return connection.underWay() > 0 ? "something is under way" : null;
  }

  private @Nullable String ofPost(ModelConnection connection, List<Integer> tags) {
    return tags.isEmpty() || tags.size() > terms.maxRecvs()
        ? "a receive has 1 to maxRecvs pieces"
        : ofTags(connection, tags);
  }

  private @Nullable String ofTags(ModelConnection connection, List<Integer> more) {
    int first = more.getFirst();
    boolean several =
        connection.hasSeveralTags()
            || !connection.knows(first)
            || more.stream().anyMatch(tag -> tag != first);
    if (!several) {
      return null;
    }
    if (terms.maxRecvs() == 1) {
      return "where maxRecvs is 1, a connection has one tag";
    }
    return connection.underWay() + more.size() > terms.window()
        ? "too much of several tags is under way"
        : null;
  }

  /**
   * Takes a step. A {@link NetStep.Finish} adds the sends and receives that are missing.
   *
   * @throws IllegalArgumentException when the step is not legal
   */
  public void apply(NetStep step) {
    String objection = objection(step);
    if (objection != null) {
      throw new IllegalArgumentException(ErrorText.of("%s: %s", step.text(), objection));
    }
    ModelConnection used = connections.remove(step.connection());
    if (used != null) {
      connections.put(step.connection(), used);
    }
    switch (step) {
      case NetStep.Open open -> {
        listeners.add(open.listener());
        ModelConnection connection =
            new ModelConnection(
                open.room(), open.context(), NetStep.Open.contextOf(open.listener()));
        connections.put(open.connection(), connection);
      }
      case NetStep.Post post -> connection(post.connection()).post(post.tags(), post.hinted());
      case NetStep.Send send -> connection(send.connection()).send(send.tag(), send.length());
      case NetStep.Finish finish -> connection(finish.connection()).complete();
      case NetStep.Close close -> connection(close.connection()).close(close.sending());
      case NetStep.GiveUp give -> {
        connection(give.connection()).close(true);
        connection(give.connection()).close(false);
      }
      case NetStep.Fail fail -> connection(fail.connection()).fail();
      case NetStep.CloseListener close -> listeners.remove(close.listener());
      case NetStep.OpenContext open -> contexts.add(open.context());
      case NetStep.CloseContext close -> contexts.remove(close.context());
      case NetStep.TestOne _,
          NetStep.TestAll _,
          NetStep.Flush _,
          NetStep.RegisterAgain _,
          NetStep.Refuse _,
          NetStep.Announce _,
          NetStep.GiveUpConnect _,
          NetStep.Rest _ -> {
        // None of these changes what belongs where.
      }
    }
  }

  /**
   * Returns the steps that are left to end everything: the connection that was used last is
   * finished first, so that the others stand still meanwhile.
   */
  public List<NetStep> rest() {
    List<NetStep> rest = new ArrayList<>();
    for (int number : new ArrayList<>(connections.keySet()).reversed()) {
      ModelConnection connection = connection(number);
      if (connection.isOpen()) {
        rest.add(new NetStep.Finish(number));
      }
      boolean first = number % 2 == 0;
      for (boolean sending : new boolean[] {first, !first}) {
        if (!connection.isClosed(sending)) {
          rest.add(new NetStep.Close(number, sending));
        }
      }
    }
    listeners.forEach(listener -> rest.add(new NetStep.CloseListener(listener)));
    contexts.forEach(context -> rest.add(new NetStep.CloseContext(context)));
    return rest;
  }

  /** Returns the further contexts that are open. */
  Set<Integer> contexts() {
    return contexts;
  }

  /** Returns the steps that end whatever is open in a further context, and the context. */
  List<NetStep> endOf(int context) {
    List<NetStep> end = new ArrayList<>();
    connections.forEach((number, connection) -> {
      if (connection.isIn(context)) {
        if (connection.isOpen()) {
          end.add(new NetStep.Finish(number));
        }
        for (boolean sending : new boolean[] {true, false}) {
          if (!connection.isClosed(sending)) {
            end.add(new NetStep.Close(number, sending));
          }
        }
      }
    });
    listeners.stream()
        .filter(listener -> NetStep.Open.contextOf(listener) == context)
        .forEach(listener -> end.add(new NetStep.CloseListener(listener)));
    end.add(new NetStep.CloseContext(context));
    return end;
  }

  /** Returns a connection that was opened. */
  ModelConnection connection(int number) {
    ModelConnection connection = connections.get(number);
    if (connection == null) {
      throw new IllegalArgumentException("there is no connection " + number);
    }
    return connection;
  }
}
