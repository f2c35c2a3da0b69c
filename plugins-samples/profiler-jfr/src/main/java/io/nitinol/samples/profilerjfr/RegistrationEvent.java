// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.profiler.v1.ProfilerReport;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Memory that the network plugin has registered. */
@Name("io.nitinol.Registration")
@Label("Memory Registration")
@Description(
    "The network plugin has registered memory for a connection. It has no duration: a threshold other"
        + " than 0 drops it")
@StackTrace // it is reported on the thread that made the call
final class RegistrationEvent extends PluginEvent {
  @Label("Memory")
  @Description("HOST or the kind of device memory")
  final String memory;

  @Label("Size")
  @DataAmount
  final long bytes;

  RegistrationEvent(ProfilerReport.Registration report) {
    super(report.sends(), report.peer(), report.channel(), report.nanos());
    memory = report.memory().name();
    bytes = report.bytes();
  }
}
