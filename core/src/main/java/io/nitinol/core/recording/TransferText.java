// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.recording;

import io.nitinol.core.schedule.StepKind;
import java.util.Locale;

/** A transfer as the fields of a JSON object or of a line of CSV. */
public final class TransferText {
  /** The names of the fields of {@link #csv}. */
  public static final String CSV_HEADER =
      "operation,collective,algorithm,protocol,channel,step,source,destination,bytes";

  private TransferText() {}

  /** Appends the fields of a JSON object, without its braces. */
  public static void json(Transfer transfer, StringBuilder to) {
    to.append("\"operation\":")
        .append(transfer.operation())
        .append(",\"collective\":\"")
        .append(transfer.collective().label())
        .append("\",\"algorithm\":\"")
        .append(lower(transfer.algorithm()))
        .append("\",\"protocol\":\"")
        .append(lower(transfer.protocol()))
        .append("\",\"channel\":")
        .append(transfer.channel())
        .append(",\"step\":\"")
        .append(step(transfer))
        .append("\",\"source\":")
        .append(transfer.source())
        .append(",\"destination\":")
        .append(transfer.destination())
        .append(",\"bytes\":")
        .append(transfer.bytes());
  }

  /** Appends the fields of {@link #CSV_HEADER}. */
  public static void csv(Transfer transfer, StringBuilder to) {
    to.append(transfer.operation())
        .append(',')
        .append(transfer.collective().label())
        .append(',')
        .append(lower(transfer.algorithm()))
        .append(',')
        .append(lower(transfer.protocol()))
        .append(',')
        .append(transfer.channel())
        .append(',')
        .append(step(transfer))
        .append(',')
        .append(transfer.source())
        .append(',')
        .append(transfer.destination())
        .append(',')
        .append(transfer.bytes());
  }

  private static String step(Transfer transfer) {
    StepKind kind = transfer.step();
    return kind == null ? "pair" : NAMES[kind.ordinal()];
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static final String[] NAMES = names();

  private static String[] names() {
    StepKind[] kinds = StepKind.values();
    String[] names = new String[kinds.length];
    for (int i = 0; i < kinds.length; i++) {
      names[i] = lower(kinds[i]);
    }
    return names;
  }
}
