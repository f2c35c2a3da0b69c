// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.profiler.v1.ProfilerReport;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The failure of a communicator. */
@Name("io.nitinol.Failure")
@Label("Communicator Failure")
@Description(
    "The communicator has failed or was aborted; pending calls throw a CommException with this"
        + " message")
final class FailureEvent extends RankEvent {
  @Label("Result")
  final String result;

  @Label("Failed Rank")
  @Description("The rank that is to blame; -1 where that is not known")
  final int failedRank;

  @Label("Message")
  final String message;

  FailureEvent(ProfilerReport.Failure report) {
    result = report.result().name();
    failedRank = report.failedRank();
    message = report.message();
  }
}
