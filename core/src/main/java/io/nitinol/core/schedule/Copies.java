// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

/** Every collective of a rank that is alone: its input is the result. */
public final class Copies implements Schedule {
  private static final int[] NOBODY = {};

  private final int pieceBytes;
  private final boolean reduces;
  private final int channel;
  private final Rounds pieces = new Rounds();

  /**
   * Creates a schedule without elements.
   *
   * @param pieceBytes the most bytes of a step
   * @param reduces whether the collective is a reduction, whose operator completes the result
   * @param channel which channel this is, from 0
   */
  public Copies(int pieceBytes, boolean reduces, int channel) {
    this.pieceBytes = pieceBytes;
    this.reduces = reduces;
    this.channel = channel;
  }

  @Override
  public int[] sendPeers() {
    return NOBODY;
  }

  @Override
  public int[] recvPeers() {
    return NOBODY;
  }

  @Override
  public void plan(long count, int elementBytes, int root, int channels) {
    long align = ChunkShape.ALIGNMENT / elementBytes;
    pieces.share(count, align, align, channel, channels);
    pieces.cut(pieceBytes / elementBytes, align);
  }

  @Override
  public long steps() {
    return pieces.rounds();
  }

  @Override
  public void step(long index, Step into) {
    Schedule.checkIndex(index, steps());
    into.begin(StepKind.COPY, pieces.count(index)).at(pieces.begin(index)).last(reduces);
  }

  @Override
  public long receives(int peer) {
    return 0;
  }
}
