// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.profiler.v1.ProfilerReport;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A call of the network plugin that took long. */
@Name("io.nitinol.SlowCall")
@Label("Slow Network Call")
@Description(
    "A call of the network plugin that took NITINOL_PROFILE_SLOW_CALL_US or longer. That is its limit:"
        + " the event has no duration, and a threshold other than 0 drops it")
@StackTrace // it is reported on the thread that made the call
final class SlowCallEvent extends PluginEvent {
  @Label("Call")
  @Description("The method of the plugin's interface")
  final String call;

  SlowCallEvent(ProfilerReport.SlowCall report) {
    super(report.sends(), report.peer(), report.channel(), report.nanos());
    call = report.call();
  }
}
