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
    NetModel model = new NetModel(terms);
    for (NetStep step : steps) {
      if (model.objection(step) != null) {
        return false;
      }
      model.apply(step);
    }
    return true;
  }

  /** Returns the reason why a caller may not take this step now; null if it may. */
  public @Nullable String objection(NetStep step) {
    return switch (step) {
      case NetStep.Open open ->
          connections.containsKey(open.connection())
              ? "the connection was there before"
              : ofRoom(open.room());
      case NetStep.CloseListener close ->
          listeners.contains(close.listener()) ? null : "the listener is not open";
      case NetStep.Rest _ -> null;
      case NetStep.Close close -> ofClose(close);
      default -> {
        ModelConnection connection = connections.get(step.connection());
        yield connection == null || !connection.isOpen()
            ? "the connection is not open"
            : switch (step) {
              case NetStep.Post post -> ofPost(connection, post.tags());
              case NetStep.Send send ->
                  send.length() < 0 || send.length() > connection.room()
                      ? "the message is longer than its piece"
                      : ofTags(connection, List.of(send.tag()));
              default -> null;
            };
      }
    };
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
        connections.put(open.connection(), new ModelConnection(open.room()));
      }
      case NetStep.Post post -> connection(post.connection()).post(post.tags());
      case NetStep.Send send -> connection(send.connection()).send(send.tag(), send.length());
      case NetStep.Finish finish -> connection(finish.connection()).complete();
      case NetStep.Close close -> connection(close.connection()).close(close.sending());
      case NetStep.CloseListener close -> listeners.remove(close.listener());
      case NetStep.TestOne _,
          NetStep.TestAll _,
          NetStep.Flush _,
          NetStep.RegisterAgain _,
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
    return rest;
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
