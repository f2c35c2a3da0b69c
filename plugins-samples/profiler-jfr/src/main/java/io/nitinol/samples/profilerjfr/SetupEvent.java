// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.profiler.v1.ProfilerReport;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** This rank's end of a connection, which has come about. */
@Name("io.nitinol.Connection")
@Label("Network Connection")
@Description(
    "This rank's end of a connection over the network plugin has come about. It has no duration: a"
        + " threshold other than 0 drops it")
final class SetupEvent extends PluginEvent {
  @Label("Network")
  final String network;

  @Label("Device")
  final String device;

  @Label("Use")
  @Description("What it is for: collective, pair (of sends and receives) or direct")
  final String use;

  SetupEvent(ProfilerReport.Connection report) {
    super(report.sends(), report.peer(), report.channel(), report.nanos());
    network = report.network();
    device = report.device();
    use = report.use();
  }
}
