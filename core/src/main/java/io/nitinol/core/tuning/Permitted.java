// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.tuning;

import io.nitinol.spi.Collective;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a variable like {@code NCCL_ALGO} permits: {@code ring,tree;allreduce:^tree}. A part without
 * a collective speaks of all that are not named; a leading {@code ^} excludes; case does not count.
 *
 * @param <E> the algorithms or the protocols
 */
final class Permitted<E extends Enum<E>> {
  private final Set<E> general;
  private final Map<Collective, Set<E>> named = new EnumMap<>(Collective.class);
  private final boolean everything;

  private Permitted(Set<E> general, boolean everything) {
    this.general = general;
    this.everything = everything;
  }

  /**
   * Reads a value.
   *
   * @param variable its name, for warnings
   * @param text the value; empty permits everything
   * @param type what is permitted
   * @param names the names that may be written, as the documentation spells them
   * @param foreign names that NCCL knows and that mean nothing here, in lower case
   * @param warnings gets a sentence for each list with a name that is not known, or with none that
   *     means something here; and what is done instead
   */
  static <E extends Enum<E>> Permitted<E> parse(
      String variable,
      String text,
      Class<E> type,
      List<String> names,
      List<String> foreign,
      Consumer<String> warnings) {
    Reader<E> reader = new Reader<>(variable, text, type, names, foreign, warnings);
    Set<E> general = null;
    Map<Collective, Set<E>> named = new EnumMap<>(Collective.class);
    for (String part : text.split(";", -1)) {
      if (part.isBlank()) {
        continue;
      }
      int colon = part.indexOf(':');
      Set<E> set = reader.set(part.substring(colon + 1));
      if (set == null) {
        continue;
      }
      if (colon < 0) {
        general = set;
      } else {
        Collective collective = collective(part.substring(0, colon));
        if (collective == null) {
          warnings.accept(
              ErrorText.of(
                  "%s=%s: there is no collective \"%s\"; expected one of allreduce, allgather, "
                      + "reducescatter, broadcast, reduce; this part is ignored",
                  variable, text, part.substring(0, colon).strip()));
        } else {
          named.put(collective, set);
        }
      }
    }
    Permitted<E> result =
        new Permitted<>(general == null ? EnumSet.allOf(type) : general, general == null);
    result.named.putAll(named);
    return result;
  }

  /** Returns whether {@code value} may be used for {@code collective}. */
  boolean permits(Collective collective, E value) {
    Set<E> set = named.get(collective);
    return (set != null ? set : general).contains(value);
  }

  /**
   * Returns whether what is said must be kept for {@code collective} even where that leaves nothing
   * to choose. As in NCCL, a list that names no collective is meant for those that have the choice.
   */
  boolean isStrict(Collective collective) {
    return named.containsKey(collective) || (!everything && collective == Collective.ALL_REDUCE);
  }

  /** Returns whether nothing but some of {@code values} may be used for {@code collective}. */
  boolean permitsOnly(Collective collective, Set<E> values) {
    Set<E> set = named.get(collective);
    return values.containsAll(set != null ? set : general);
  }

  private static @Nullable Collective collective(String name) {
    String plain = name.strip().toLowerCase(Locale.ROOT).replace("_", "");
    for (Collective each : Collective.values()) {
      if (each.label().replace("_", "").equals(plain)) {
        return each;
      }
    }
    return null;
  }

  /** Reads lists of names. */
  private record Reader<E extends Enum<E>>(
      String variable,
      String text,
      Class<E> type,
      List<String> names,
      List<String> foreign,
      Consumer<String> warnings) {

    /** Returns what a list permits, or null where it holds nothing that is known. */
    @Nullable Set<E> set(String list) {
      String given = list.strip();
      boolean excludes = given.startsWith("^");
      Set<E> set = EnumSet.noneOf(type);
      List<String> unknown = new ArrayList<>();
      List<String> absent = new ArrayList<>();
      for (String name : (excludes ? given.substring(1) : given).split(",", -1)) {
        String one = name.strip();
        E value = value(one);
        if (value != null) {
          set.add(value);
        } else if (foreign.contains(one.toLowerCase(Locale.ROOT))) {
          absent.add(one);
        } else {
          unknown.add(one);
        }
      }
      boolean excludesAbsent =
          excludes && !absent.isEmpty(); // what is not there is easily excluded
      boolean counts = !set.isEmpty() || excludesAbsent;
      if (!unknown.isEmpty()) {
        warn("\"" + String.join("\", \"", unknown) + "\" is not known", counts);
      } else if (!counts) {
        warn("there is no " + String.join(", ", absent) + " without a GPU", false);
      }
      if (!counts) {
        return null;
      }
      if (excludes) {
        Set<E> rest = EnumSet.allOf(type);
        rest.removeAll(set);
        return rest;
      }
      return set;
    }

    private void warn(String what, boolean othersCount) {
      warnings.accept(
          ErrorText.of(
              "%s=%s: %s; expected names of %s in any case; %s",
              variable,
              text,
              what,
              String.join(", ", names),
              othersCount ? "the other names count" : "using the default, all of them"));
    }

    /** NCCL writes CollnetChain, and its log COLLNET_CHAIN. */
    private static String plain(String name) {
      return name.toLowerCase(Locale.ROOT).replace("_", "");
    }

    private @Nullable E value(String name) {
      if (names.stream().noneMatch(known -> plain(known).equals(plain(name)))) {
        return null;
      }
      for (E each : EnumSet.allOf(type)) {
        if (plain(each.name()).equals(plain(name))) {
          return each;
        }
      }
      return null;
    }
  }
}
