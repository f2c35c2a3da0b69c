// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.check.Rule;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.rules.Allocation;
import io.nitinol.tck.rules.BackPressure;
import io.nitinol.tck.rules.Closing;
import io.nitinol.tck.rules.CollClosing;
import io.nitinol.tck.rules.CollCompletion;
import io.nitinol.tck.rules.CollFailures;
import io.nitinol.tck.rules.CollFootprint;
import io.nitinol.tck.rules.CollInstances;
import io.nitinol.tck.rules.CollProcesses;
import io.nitinol.tck.rules.CollRegistration;
import io.nitinol.tck.rules.CollThreads;
import io.nitinol.tck.rules.CollTokens;
import io.nitinol.tck.rules.Completion;
import io.nitinol.tck.rules.Connecting;
import io.nitinol.tck.rules.Contexts;
import io.nitinol.tck.rules.Devices;
import io.nitinol.tck.rules.EarlyUse;
import io.nitinol.tck.rules.Errors;
import io.nitinol.tck.rules.FailedConnections;
import io.nitinol.tck.rules.Flushing;
import io.nitinol.tck.rules.Footprint;
import io.nitinol.tck.rules.Gathers;
import io.nitinol.tck.rules.Groups;
import io.nitinol.tck.rules.HandleLife;
import io.nitinol.tck.rules.Handles;
import io.nitinol.tck.rules.Initialisation;
import io.nitinol.tck.rules.Interleavings;
import io.nitinol.tck.rules.Leaks;
import io.nitinol.tck.rules.ListenerClosing;
import io.nitinol.tck.rules.LongMessages;
import io.nitinol.tck.rules.Matching;
import io.nitinol.tck.rules.MultiReceives;
import io.nitinol.tck.rules.Offers;
import io.nitinol.tck.rules.Options;
import io.nitinol.tck.rules.OtherProcesses;
import io.nitinol.tck.rules.PeerDeath;
import io.nitinol.tck.rules.Providers;
import io.nitinol.tck.rules.Receiving;
import io.nitinol.tck.rules.Reductions;
import io.nitinol.tck.rules.ReductionsInFlight;
import io.nitinol.tck.rules.Registration;
import io.nitinol.tck.rules.SendSizes;
import io.nitinol.tck.rules.Sending;
import io.nitinol.tck.rules.SentBeforeClosing;
import io.nitinol.tck.rules.Smoke;
import io.nitinol.tck.rules.Threads;
import io.nitinol.tck.rules.VersionFour;
import io.nitinol.tck.rules.VirtualDevices;
import io.nitinol.tck.session.CollSession;
import io.nitinol.tck.session.NetSession;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.spec.Spec;
import io.nitinol.tck.spec.SpecRule;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All tests of the kit, in the order of the contract. */
public final class RuleCatalog {
  /** The classes that hold the tests, one for each area of the contract. */
  private static final List<Class<?>> AREAS =
      List.of( //
          Allocation.class, //
          BackPressure.class, //
          Closing.class, //
          CollClosing.class, //
          CollCompletion.class, //
          CollFailures.class, //
          CollFootprint.class, //
          CollInstances.class, //
          CollProcesses.class, //
          CollRegistration.class, //
          CollThreads.class, //
          CollTokens.class, //
          Completion.class, //
          Connecting.class, //
          Contexts.class, //
          Devices.class, //
          EarlyUse.class, //
          Errors.class, //
          FailedConnections.class, //
          Flushing.class, //
          Footprint.class, //
          Gathers.class, //
          Groups.class, //
          HandleLife.class, //
          Handles.class, //
          Initialisation.class, //
          Interleavings.class, //
          Leaks.class, //
          ListenerClosing.class, //
          LongMessages.class, //
          Matching.class, //
          MultiReceives.class, //
          Offers.class, //
          Options.class, //
          OtherProcesses.class, //
          PeerDeath.class, //
          Providers.class, //
          Receiving.class, //
          Reductions.class, //
          ReductionsInFlight.class, //
          Registration.class, //
          SendSizes.class, //
          Sending.class, //
          SentBeforeClosing.class, //
          Smoke.class, //
          Threads.class, //
          VersionFour.class, //
          VirtualDevices.class);

  private static final List<RuleCase> CASES = find(AREAS);

  private RuleCatalog() {}

  /** Returns every test. */
  public static List<RuleCase> cases() {
    return CASES;
  }

  /** Returns the tests in these classes, in the order of the contract. */
  static List<RuleCase> find(List<Class<?>> areas) {
    Map<String, Integer> order = new TreeMap<>();
    for (SpecRule rule : Spec.current().rules()) {
      order.put(rule.id(), order.size());
    }
    List<RuleCase> cases = new ArrayList<>();
    for (Class<?> area : areas) {
      Method[] methods = area.getDeclaredMethods();
      Arrays.sort(methods, Comparator.comparing(Method::getName));
      for (Method method : methods) {
        Rule rule = method.getAnnotation(Rule.class);
        if (rule != null) {
          for (Kind kind : kinds(method)) {
            cases.add(new RuleCase(rule, kind, method));
          }
        }
      }
    }
    cases.sort(
        Comparator.comparing((RuleCase found) -> found.kind())
            .thenComparing(found -> !found.isSmoke())
            .thenComparing(found -> order.getOrDefault(found.rule(), Integer.MAX_VALUE)));
    return List.copyOf(cases);
  }

  /** A test that takes any session is about a rule that holds for both kinds word for word. */
  private static List<Kind> kinds(Method method) {
    Class<?>[] parameters = method.getParameterTypes();
    if (parameters.length == 1 && parameters[0] == NetSession.class) {
      return List.of(Kind.NET);
    }
    if (parameters.length == 1 && parameters[0] == CollSession.class) {
      return List.of(Kind.COLLNET);
    }
    if (parameters.length == 1 && parameters[0] == Session.class) {
      return List.of(Kind.NET, Kind.COLLNET);
    }
    throw new IllegalStateException(method + " is no test: it takes one session");
  }
}
