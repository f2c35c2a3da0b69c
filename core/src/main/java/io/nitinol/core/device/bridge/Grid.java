// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device.bridge;

/**
 * The ranks as rows and columns. A row is a team, whose ranks reduce and gather among themselves on
 * the device. A column is a <i>rail</i>: the ranks of equal index, which reduce and gather over the
 * network. Where teams are of unequal size every rank is a row of its own, and there is one rail of
 * all ranks; correct, but each rank then sends its own data.
 */
final class Grid {
  private final int rows;
  private final int columns;
  private final int row;
  private final int column;
  private final int[] ranks;
  private final int[] rowOf;
  private final int[] columnOf;

  Grid(TeamPlaces places) {
    int size = places.size();
    boolean even = places.smallest() == places.largest();
    columns = even ? places.largest() : 1;
    rows = size / columns;
    ranks = new int[size];
    rowOf = new int[size];
    columnOf = new int[size];
    for (int r = 0; r < size; r++) {
      rowOf[r] = columns == 1 ? r : places.teams().get(r);
      columnOf[r] = columns == 1 ? 0 : places.indices().get(r);
      ranks[columnOf[r] * rows + rowOf[r]] = r;
    }
    row = rowOf[places.rank()];
    column = columnOf[places.rank()];
  }

  /** Returns how many rows there are, which is how many ranks a rail has. */
  int rows() {
    return rows;
  }

  /** Returns how many columns there are: the ranks of a row, which is the number of rails. */
  int columns() {
    return columns;
  }

  /** Returns the number of all ranks. */
  int size() {
    return ranks.length;
  }

  /** Returns this rank's row, which is its number in its rail. */
  int row() {
    return row;
  }

  /** Returns this rank's column, which is its number in its row. */
  int column() {
    return column;
  }

  int rowOf(int rank) {
    return rowOf[rank];
  }

  int columnOf(int rank) {
    return columnOf[rank];
  }

  /**
   * Returns the rank whose block is at a place of the memory in which blocks are put together: that
   * of column 0 in all rows, then those of column 1.
   *
   * @param place from 0 to {@code size() - 1}
   */
  int rankAt(int place) {
    return ranks[place];
  }
}
