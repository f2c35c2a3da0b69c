// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.sim;

import io.nitinol.core.recording.Transfer;
import io.nitinol.core.recording.TransferText;
import io.nitinol.core.sim.VirtualCommunicator;
import io.nitinol.core.sim.cluster.SimulatedCluster;
import io.nitinol.toolkit.file.OutputFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Writes transfers as JSON lines, or as CSV if the file's name ends so. */
final class TransferWriter implements AutoCloseable {
  private static final int BUFFER = 1 << 20;

  private final boolean csv;
  private final OutputStream out;
  private final StringBuilder line = new StringBuilder();
  private long lines;

  TransferWriter(Path file) throws IOException {
    this.csv = file.toString().endsWith(".csv");
    OutputFile.write(file, new byte[0]);
    this.out = new BufferedOutputStream(OutputFile.append(file), BUFFER);
    if (csv) {
      write("time_us,group,rank," + TransferText.CSV_HEADER + ",route\n");
    }
  }

  /**
   * Writes a line.
   *
   * @param time in picoseconds; negative where there is none
   */
  void write(String group, VirtualCommunicator comm, int rank, Transfer transfer, long time)
      throws IOException {
    line.setLength(0);
    if (csv) {
      micros(time);
      line.append(',').append(group).append(',').append(rank).append(',');
      TransferText.csv(transfer, line);
      line.append(',').append(route(comm, transfer)).append('\n');
    } else {
      line.append('{');
      if (time >= 0) {
        line.append("\"time_us\":");
        micros(time);
        line.append(',');
      }
      line.append("\"group\":\"").append(group).append("\",\"rank\":").append(rank).append(',');
      TransferText.json(transfer, line);
      line.append(",\"route\":\"").append(route(comm, transfer)).append("\"}\n");
    }
    write(line.toString());
    lines++;
  }

  /** Appends a time in microseconds, exactly. */
  private void micros(long time) {
    if (time >= 0) {
      long rest = time % 1_000_000;
      line.append(time / 1_000_000).append('.');
      for (long digit = 100_000; digit > 0; digit /= 10) {
        line.append(rest / digit % 10);
      }
    }
  }

  private static String route(VirtualCommunicator comm, Transfer transfer) {
    int n = comm.ranks();
    SimulatedCluster cluster = comm.cluster();
    if (transfer.source() == n || transfer.destination() == n) {
      int gpu = comm.gpu(transfer.source() == n ? transfer.destination() : transfer.source());
      return "h" + cluster.host(gpu) + "/nic" + cluster.nic(gpu) + ">collnet";
    }
    return cluster.describe(comm.gpu(transfer.source()), comm.gpu(transfer.destination()));
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  long lines() {
    return lines;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
