// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.inspect;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in columns, two blanks apart, with notes below a row. */
public final class TextTable {
  private static final String GAP = "  ";

  /** What a note begins with. */
  static final String NOTE = "    ";

  private final List<List<String>> rows = new ArrayList<>();
  private final List<List<String>> notes = new ArrayList<>();

  /** Starts with the row of titles, whose number of columns all rows have. */
  public TextTable(String... titles) {
    row(titles);
  }

  /** Adds a row. */
  public void row(String... cells) {
    rows.add(List.of(cells));
    notes.add(new ArrayList<>());
  }

  /** Adds a line below the last row, which no column cuts. */
  public void note(String text) {
    notes.getLast().add(text);
  }

  /** Returns the lines, none with blanks at its end. */
  public List<String> lines() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (int r = 0; r < rows.size(); r++) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        String cell = rows.get(r).get(i);
        line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
      }
      lines.add(line.toString().stripTrailing());
      notes.get(r).forEach(note -> lines.add(NOTE + note));
    }
    return lines;
  }
}
