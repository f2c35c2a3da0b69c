// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfCollective;
import io.nitinol.cli.perf.collective.PerfCollectives;
import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.PerfOperator;
import io.nitinol.cli.perf.device.PerfDevicePlan;
import io.nitinol.spi.DataType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plans of tests: short, and with all roots. */
final class Plans {
  static final PerfPlan.Reporting REPORTING =
      new PerfPlan.Reporting(PerfPlan.Average.MEAN, false, false, 0);

  private Plans() {}

  static PerfPlan of(
      String label, long min, long max, List<DataType> types, List<PerfOperator> ops, int checks) {
    PerfCollective collective = Objects.requireNonNull(PerfCollectives.named(label), label);
    return new PerfPlan(
        collective,
        new SizeRange(min, max, 2, 0),
        types,
        collective.reduces() ? ops : List.of(PerfOperator.NONE),
        collective.hasRoot() ? PerfPlan.ALL_ROOTS : PerfJob.NO_ROOT,
        timing(1, PerfPlan.Blocking.NONE),
        checks,
        0,
        REPORTING,
        true,
        null,
        new PerfMode.Table());
  }

  static PerfPlan.Timing timing(int aggregate, PerfPlan.Blocking blocking) {
    return new PerfPlan.Timing(1, 0, 0, 2, aggregate, 1, blocking);
  }

  static PerfPlan with(PerfPlan plan, PerfPlan.Timing timing, int unalign) {
    return changed(plan, timing, unalign, plan.device(), plan.mode());
  }

  static PerfPlan in(PerfMode mode, PerfPlan plan) {
    return changed(plan, plan.timing(), plan.unalign(), plan.device(), mode);
  }

  static PerfPlan on(PerfDevicePlan device, PerfPlan plan) {
    return changed(plan, plan.timing(), plan.unalign(), device, plan.mode());
  }

  private static PerfPlan changed(
      PerfPlan plan,
      PerfPlan.Timing timing,
      int unalign,
      @Nullable PerfDevicePlan device,
      PerfMode mode) {
    return new PerfPlan(
        plan.collective(),
        plan.range(),
        plan.types(),
        plan.ops(),
        plan.root(),
        timing,
        plan.checks(),
        unalign,
        plan.reporting(),
        plan.threads(),
        device,
        mode);
  }
}
