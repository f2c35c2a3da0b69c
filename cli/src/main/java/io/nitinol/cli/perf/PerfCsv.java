// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.toolkit.ErrorText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table as comma-separated values (RFC 4180 with line feeds), for spreadsheets: its columns,
 * and all digits. With {@code -C} the times are {@code cpu_time}, as in the JSON. A field is empty
 * where the table has {@code N/A}.
 */
final class PerfCsv {
  private PerfCsv() {}

  static String text(PerfPlan.Reporting reporting, List<PerfRow> rows) {
    boolean rates = rows.stream().anyMatch(row -> row.messages() > 0);
    StringBuilder out = new StringBuilder();
    out.append(
        ErrorText.of(
            "size_bytes,count,type,redop,root,"
                + "out_of_place_%1$s_us,out_of_place_algbw_gb_per_s,"
                + "out_of_place_busbw_gb_per_s,out_of_place_wrong,"
                + "in_place_%1$s_us,in_place_algbw_gb_per_s,in_place_busbw_gb_per_s,"
                + "in_place_wrong%2$s\n",
            reporting.cpuTime() ? "cpu_time" : "time", rates ? ",messages_per_s" : ""));
    for (PerfRow row : rows) {
      PerfJob job = row.job();
      // No label has a comma or a quotation mark.
      out.append(row.bytes()).append(',').append(job.count());
      out.append(',').append(job.type().label()).append(',').append(job.op().label());
      out.append(',').append(job.root());
      figures(out, reporting, row, row.outOfPlace());
      figures(out, reporting, row, row.inPlace());
      if (rates) {
        out.append(',').append(row.messageRate());
      }
      out.append('\n');
    }
    return out.toString();
  }

  private static void figures(
      StringBuilder out,
      PerfPlan.Reporting reporting,
      PerfRow row,
      @Nullable Measurement measurement) {
    if (measurement == null) {
      out.append(",,,,");
      return;
    }
    double seconds = reporting.cpuTime() ? measurement.startSeconds() : measurement.seconds();
    out.append(',').append(seconds * 1e6);
    out.append(',').append(measurement.algorithmBandwidth(row.bytes()));
    out.append(',').append(row.busBandwidth(measurement)).append(',');
    if (measurement.wrong() != Measurement.UNCHECKED) {
      out.append(measurement.wrong());
    }
  }
}
