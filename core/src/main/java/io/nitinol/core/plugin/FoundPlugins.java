// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.config.VariableCatalog;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that one discovery found: the candidates by kind, in the order found, and what never became
 * one. {@link Discovery} fills it, and a {@link PluginCatalog} holds a copy of the lists.
 */
final class FoundPlugins {

  /**
   * The native library that the value of a variable led to.
   *
   * @param entry the value; empty where the variable was not set
   * @param location the library's file
   */
  record Library(String entry, String location) {

    /** Returns whether {@code wanted} led to the library that {@code candidate} is from. */
    boolean is(String wanted, Candidate<?> candidate) {
      return entry.equals(wanted) && location.equals(candidate.origin().location());
    }
  }

  private final Map<PluginKind, List<Candidate<?>>> candidates = new EnumMap<>(PluginKind.class);
  private final Map<PluginKind, Library> libraries = new EnumMap<>(PluginKind.class);
  final List<PluginDescription> rejected = new ArrayList<>();
  final List<VariableCatalog> variables = new ArrayList<>();

  FoundPlugins() {
    for (VersionLadder<?> ladder : VersionLadder.ALL) {
      candidates.put(ladder.kind(), new ArrayList<>());
    }
  }

  /** Returns a copy that does not change. */
  FoundPlugins copy() {
    FoundPlugins copy = new FoundPlugins();
    candidates.forEach((kind, some) -> copy.candidates.put(kind, List.copyOf(some)));
    copy.libraries.putAll(libraries);
    copy.rejected.addAll(rejected);
    copy.variables.addAll(variables);
    return copy;
  }

  <P> void add(Candidate<P> candidate) {
    all(candidate.kind()).add(candidate);
  }

  /** Puts candidates of a kind in place of those that were found. */
  <P> void replace(VersionLadder<P> ladder, List<Candidate<P>> ordered) {
    candidates.put(ladder.kind(), new ArrayList<>(ordered));
  }

  /** Returns the candidates of a kind. */
  @SuppressWarnings("unchecked") // a candidate is added under the kind of its own ladder
  <P> List<Candidate<P>> all(VersionLadder<P> ladder) {
    return (List<Candidate<P>>) (List<?>) all(ladder.kind());
  }

  @SuppressWarnings("NullAway") // there is a list for every kind
  List<Candidate<?>> all(PluginKind kind) {
    return candidates.get(kind);
  }

  /** Returns the candidates of all kinds, networks first. */
  List<Candidate<?>> all() {
    return candidates.values().stream().<Candidate<?>>flatMap(List::stream).toList();
  }

  /** Remembers the native library with a plugin of a kind that its variable leads to. */
  void library(PluginKind kind, Library named) {
    libraries.put(kind, named);
  }

  /** Returns that library; null where the variable led to none with such a plugin. */
  @Nullable Library library(PluginKind kind) {
    return libraries.get(kind);
  }
}
