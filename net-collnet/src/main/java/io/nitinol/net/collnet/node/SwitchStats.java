// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import java.util.List;

/**
 * What a switch is doing and has done, at one moment. Counters count from the start of the switch
 * and include groups that are gone.
 *
 * @param upNanos for how long the switch has run, in nanoseconds
 * @param groupsAdmitted how many groups have come about
 * @param refusals how many joins were refused, for want of room or because they made no sense
 * @param failures how many groups ended by a failure: a member that died or lied, a parent lost
 * @param operations how many operations were complete
 * @param segments how many segments were reduced or put together
 * @param reducedBytes how many bytes of contributions went into reductions
 * @param bytesIn how many bytes of data came from children and the parent
 * @param bytesOut how many bytes of data went to children and the parent
 * @param memoryBytes how much memory groups have now, in bytes
 * @param memoryLimitBytes how much they may have at the most, in bytes
 * @param groups the groups that exist now
 */
public record SwitchStats(
    long upNanos,
    long groupsAdmitted,
    long refusals,
    long failures,
    long operations,
    long segments,
    long reducedBytes,
    long bytesIn,
    long bytesOut,
    long memoryBytes,
    long memoryLimitBytes,
    List<GroupStats> groups) {

  /** Keeps a copy of the list. */
  public SwitchStats {
    groups = List.copyOf(groups);
  }

  /**
   * One group.
   *
   * @param id the group's id in hexadecimal
   * @param state {@code forming}, {@code connecting}, {@code running} or {@code closing}
   * @param nranks how many ranks it has in all
   * @param ranksHere how many of them are at this switch or below it, so far
   * @param children how many children they come by
   * @param operations how many operations were complete
   * @param segments how many segments were reduced or put together
   * @param bytesIn how many bytes of data came
   * @param bytesOut how many bytes of data went
   * @param memoryBytes how much memory it has, in bytes
   */
  public record GroupStats(
      String id,
      String state,
      int nranks,
      int ranksHere,
      int children,
      long operations,
      long segments,
      long bytesIn,
      long bytesOut,
      long memoryBytes) {}
}
