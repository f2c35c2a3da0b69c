// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.rules.AllocationRules;
import io.nitinol.tck.rules.BackPressureRules;
import io.nitinol.tck.rules.ClosingRules;
import io.nitinol.tck.rules.CollClosingRules;
import io.nitinol.tck.rules.CollCompletionRules;
import io.nitinol.tck.rules.CollFailureRules;
import io.nitinol.tck.rules.CollFootprintRules;
import io.nitinol.tck.rules.CollInstanceRules;
import io.nitinol.tck.rules.CollProcessRules;
import io.nitinol.tck.rules.CollRegistrationRules;
import io.nitinol.tck.rules.CollThreadRules;
import io.nitinol.tck.rules.CollTokenRules;
import io.nitinol.tck.rules.CompletionRules;
import io.nitinol.tck.rules.ConnectingRules;
import io.nitinol.tck.rules.ContextRules;
import io.nitinol.tck.rules.DeviceCollectiveRules;
import io.nitinol.tck.rules.DeviceErrorRules;
import io.nitinol.tck.rules.DeviceEventRules;
import io.nitinol.tck.rules.DeviceFootprintRules;
import io.nitinol.tck.rules.DeviceGraphRules;
import io.nitinol.tck.rules.DeviceKernelRules;
import io.nitinol.tck.rules.DeviceMemoryRules;
import io.nitinol.tck.rules.DeviceProviderRules;
import io.nitinol.tck.rules.DeviceRules;
import io.nitinol.tck.rules.DeviceSharingRules;
import io.nitinol.tck.rules.DeviceStreamRules;
import io.nitinol.tck.rules.DeviceTeamProcessRules;
import io.nitinol.tck.rules.DeviceTeamRules;
import io.nitinol.tck.rules.EarlyUseRules;
import io.nitinol.tck.rules.ErrorRules;
import io.nitinol.tck.rules.FailedConnectionRules;
import io.nitinol.tck.rules.FlushingRules;
import io.nitinol.tck.rules.FootprintRules;
import io.nitinol.tck.rules.GatherRules;
import io.nitinol.tck.rules.GroupRules;
import io.nitinol.tck.rules.HandleLifeRules;
import io.nitinol.tck.rules.HandleRules;
import io.nitinol.tck.rules.InitialisationRules;
import io.nitinol.tck.rules.InterleavingRules;
import io.nitinol.tck.rules.LeakRules;
import io.nitinol.tck.rules.ListenerClosingRules;
import io.nitinol.tck.rules.LongLifeRules;
import io.nitinol.tck.rules.LongMessageRules;
import io.nitinol.tck.rules.MatchingRules;
import io.nitinol.tck.rules.MultiReceiveRules;
import io.nitinol.tck.rules.OptionRules;
import io.nitinol.tck.rules.OtherProcessRules;
import io.nitinol.tck.rules.PeerDeathRules;
import io.nitinol.tck.rules.ProviderRules;
import io.nitinol.tck.rules.ReceivingRules;
import io.nitinol.tck.rules.ReductionRules;
import io.nitinol.tck.rules.ReductionsInFlightRules;
import io.nitinol.tck.rules.RegistrationRules;
import io.nitinol.tck.rules.SendSizeRules;
import io.nitinol.tck.rules.SendingRules;
import io.nitinol.tck.rules.SentBeforeClosingRules;
import io.nitinol.tck.rules.SequenceRules;
import io.nitinol.tck.rules.SideBySideRules;
import io.nitinol.tck.rules.SmokeRules;
import io.nitinol.tck.rules.ThreadRules;
import io.nitinol.tck.rules.VersionFourRules;
import io.nitinol.tck.rules.VirtualDeviceRules;
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

/** All tests of the kit, in the order in which they run. */
public final class RuleCatalog {
  /** The classes that hold the tests, one for each area of the contract. */
  private static final List<Class<?>> AREAS =
      List.of( //
          AllocationRules.class, //
          BackPressureRules.class, //
          ClosingRules.class, //
          CollClosingRules.class, //
          CollCompletionRules.class, //
          CollFailureRules.class, //
          CollFootprintRules.class, //
          CollInstanceRules.class, //
          CollProcessRules.class, //
          CollRegistrationRules.class, //
          CollThreadRules.class, //
          CollTokenRules.class, //
          CompletionRules.class, //
          ConnectingRules.class, //
          ContextRules.class, //
          DeviceCollectiveRules.class, //
          DeviceErrorRules.class, //
          DeviceEventRules.class, //
          DeviceFootprintRules.class, //
          DeviceGraphRules.class, //
          DeviceKernelRules.class, //
          DeviceMemoryRules.class, //
          DeviceProviderRules.class, //
          DeviceRules.class, //
          DeviceSharingRules.class, //
          DeviceStreamRules.class, //
          DeviceTeamProcessRules.class, //
          DeviceTeamRules.class, //
          EarlyUseRules.class, //
          ErrorRules.class, //
          FailedConnectionRules.class, //
          FlushingRules.class, //
          FootprintRules.class, //
          GatherRules.class, //
          GroupRules.class, //
          HandleLifeRules.class, //
          HandleRules.class, //
          InitialisationRules.class, //
          InterleavingRules.class, //
          LeakRules.class, //
          ListenerClosingRules.class, //
          LongLifeRules.class, //
          LongMessageRules.class, //
          MatchingRules.class, //
          MultiReceiveRules.class, //
          OptionRules.class, //
          OtherProcessRules.class, //
          PeerDeathRules.class, //
          ProviderRules.class, //
          ReceivingRules.class, //
          ReductionRules.class, //
          ReductionsInFlightRules.class, //
          RegistrationRules.class, //
          SendSizeRules.class, //
          SendingRules.class, //
          SentBeforeClosingRules.class, //
          SequenceRules.class, //
          SideBySideRules.class, //
          SmokeRules.class, //
          ThreadRules.class, //
          VersionFourRules.class, //
          VirtualDeviceRules.class);

  private static final List<RuleCase> CASES = find(AREAS);

  private RuleCatalog() {}

  /** Returns every test. */
  public static List<RuleCase> cases() {
    return CASES;
  }

  /**
   * Returns the tests in these classes, in the order of the contract, those of calls that never
   * wait before the others: where such calls wait, the others would take hours.
   */
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
            .thenComparing(found -> !LaneRun.isOfPromptness(found.rule(), found.name()))
            .thenComparing(found -> order.getOrDefault(found.rule(), Integer.MAX_VALUE)));
    return List.copyOf(cases);
  }

  /**
   * Returns the kinds that a test is for: both kinds of network if it takes the session of either,
   * since its rule binds both.
   */
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
    if (parameters.length == 1 && parameters[0] == DeviceSession.class) {
      return List.of(Kind.DEVICE);
    }
    throw new IllegalStateException(method + " is no test: it takes one session");
  }
}
