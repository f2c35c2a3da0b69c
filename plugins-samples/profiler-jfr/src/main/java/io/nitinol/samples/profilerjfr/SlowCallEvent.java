// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.profiler.v1.ProfilerReport;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A call of the network plugin that took long. */
@Name("io.nitinol.SlowCall")
@Label("Slow Network Call")
@Description("A call of the network plugin that took NITINOL_PROFILE_SLOW_CALL_US or longer")
final class SlowCallEvent extends PluginEvent {
  @Label("Call")
  @Description("The method of the plugin's interface")
  final String call;

  SlowCallEvent(ProfilerReport.SlowCall report) {
    super(report.peer(), report.channel(), report.nanos());
    call = report.call();
  }
}
