// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.nitinol_team;
import java.lang.foreign.MemorySegment;

/**
 * A rank's place in a team, with the memory of all its members: what every launch names.
 *
 * @param rank this rank
 * @param ranks how many there are
 * @param layout the parts of each rank's memory
 * @param bases the first byte of each rank's memory, not changed
 * @param abortWord while it is not 0, waits end
 * @param statusWord says for which member a wait that ended had waited
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and private to this package
record TeamPlace(
    int rank, int ranks, CudaTeamLayout layout, long[] bases, long abortWord, long statusWord) {

  /** Returns the rank behind this one in the ring. */
  int next() {
    return rank + 1 == ranks ? 0 : rank + 1;
  }

  long control(int member) {
    return bases[member] + layout.control();
  }

  long lines(int member) {
    return bases[member] + layout.lines();
  }

  long longLines(int member) {
    return bases[member] + layout.longLines();
  }

  long stageIn(int member) {
    return bases[member] + layout.stageIn();
  }

  long stageOut(int member) {
    return bases[member] + layout.stageOut();
  }

  long scratch(int member) {
    return bases[member] + layout.scratch();
  }

  /** Fills the part of a struct that names the whole team. */
  void fill(MemorySegment team) {
    nitinol_team.size(team, ranks);
    nitinol_team.rank(team, rank);
    for (int r = 0; r < ranks; r++) {
      nitinol_team.control(team, r, control(r));
    }
    nitinol_team.abort(team, abortWord);
    nitinol_team.status(team, statusWord);
  }

  /** Fills the part of a struct that names the pair of this rank and a peer. */
  void fillPair(MemorySegment team, int peer) {
    nitinol_team.size(team, 2);
    nitinol_team.rank(team, memberOfPair(peer));
    nitinol_team.control(team, memberOfPair(peer), bases[rank] + layout.pairControl(peer));
    nitinol_team.control(team, 1 - memberOfPair(peer), bases[peer] + layout.pairControl(rank));
    nitinol_team.abort(team, abortWord);
    nitinol_team.status(team, statusWord);
  }

  /** Returns this rank's number in its pair with a peer. */
  int memberOfPair(int peer) {
    return rank < peer ? 0 : 1;
  }
}
