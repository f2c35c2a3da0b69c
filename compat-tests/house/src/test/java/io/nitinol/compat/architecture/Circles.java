// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds circles among the classes of one package: sets of classes each of which uses every other,
 * perhaps by way of others. A nested class counts with its outermost class.
 */
final class Circles {
  /** Which classes of the package each of its classes uses; by simple names. */
  private final Map<String, Set<String>> uses = new TreeMap<>();

  private Circles(Collection<JavaClass> classes) {
    for (JavaClass each : classes) {
      Set<String> used = uses.computeIfAbsent(outermost(each), name -> new TreeSet<>());
      for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass();
        if (target.getPackageName().equals(each.getPackageName()) && !target.isArray()) {
          used.add(outermost(target));
        }
      }
    }
  }

  /**
   * Returns the circles of each package that has any, the largest first: each class with those of
   * the circle that it uses itself.
   */
  static Map<String, List<Map<String, Set<String>>>> byPackage(Collection<JavaClass> classes) {
    Map<String, List<Map<String, Set<String>>>> circles = new TreeMap<>();
    classes.stream()
        .collect(Collectors.groupingBy(JavaClass::getPackageName))
        .forEach((name, own) -> {
          List<Map<String, Set<String>>> found = new Circles(own).find();
          if (!found.isEmpty()) {
            circles.put(name, found);
          }
        });
    return circles;
  }

  private static String outermost(JavaClass type) {
    String name = type.getName().substring(type.getPackageName().length() + 1);
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private List<Map<String, Set<String>>> find() {
    Map<String, Set<String>> reached = new TreeMap<>();
    uses.keySet().forEach(each -> reached.put(each, reach(each)));
    List<Map<String, Set<String>>> circles = new ArrayList<>();
    Set<String> seen = new TreeSet<>();
    for (String each : uses.keySet()) {
      Set<String> circle =
          reached.get(each).stream()
              .filter(other -> reached.getOrDefault(other, Set.of()).contains(each))
              .collect(Collectors.toCollection(TreeSet::new));
      if (circle.size() > 1 && seen.add(each)) {
        seen.addAll(circle);
        circles.add(within(circle));
      }
    }
    circles.sort((a, b) -> Integer.compare(b.size(), a.size()));
    return circles;
  }

  private Map<String, Set<String>> within(Set<String> circle) {
    Map<String, Set<String>> arrows = new TreeMap<>();
    for (String each : circle) {
      Set<String> used = new TreeSet<>(uses.get(each));
      used.retainAll(circle);
      used.remove(each);
      arrows.put(each, used);
    }
    return arrows;
  }

  private Set<String> reach(String from) {
    Set<String> reached = new TreeSet<>();
    Deque<String> next = new ArrayDeque<>(List.of(from));
    while (!next.isEmpty()) {
      for (String used : uses.getOrDefault(next.remove(), Set.of())) {
        if (reached.add(used)) {
          next.add(used);
        }
      }
    }
    return reached;
  }
}
