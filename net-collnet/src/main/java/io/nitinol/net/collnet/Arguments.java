// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.wire.ControlFrame;
import io.nitinol.net.collnet.wire.Descriptor;
import io.nitinol.net.collnet.wire.MemberHandle;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Checks the arguments of a call before anything has changed. */
final class Arguments {
  private Arguments() {}

  /** Checks a buffer that holds a handle, or will. */
  static void checkBuffer(@Nullable MemorySegment handle) {
    if (handle == null || !handle.isNative() || handle.byteSize() < CollNet.HANDLE_MAXSIZE) {
      throw SwitchFailures.argument(
          ErrorText.of(
              "a handle buffer of %s bytes, expected %s native ones",
              handle == null ? 0 : handle.byteSize(), CollNet.HANDLE_MAXSIZE));
    }
  }

  /** Reads the handles of all ranks of a group. */
  static MemberHandle[] handles(MemorySegment @Nullable [] handles, int nranks, int rank) {
    if (rank < 0 || rank >= nranks || handles == null || handles.length < nranks) { // COLL-02
      throw SwitchFailures.argument(
          ErrorText.of(
              "rank %d of %d with %s handles", rank, nranks, handles == null ? 0 : handles.length));
    }
    if (nranks > ControlFrame.MAX_RANKS) { // COLL-05
      throw new NetException(
          ResultCode.INVALID_USAGE,
          nranks + " ranks, a group has at most " + ControlFrame.MAX_RANKS);
    }
    MemberHandle[] members = new MemberHandle[nranks];
    for (int i = 0; i < nranks; i++) {
      checkBuffer(handles[i]);
      MemberHandle member = MemberHandle.readFrom(handles[i]);
      if (member == null) {
        throw SwitchFailures.argument(
            "bytes as handle " + i + " that no listener of " + SwitchFailures.NAME + " wrote");
      }
      members[i] = member;
    }
    return members;
  }

  /** Checks a type and an operator. */
  static void checkPair(@Nullable DataType dataType, @Nullable ReductionOp op) {
    if (dataType == null || op == null || op == ReductionOp.AVG) { // COLL-16
      throw SwitchFailures.argument(dataType + " with " + op + ", which it does not reduce");
    }
  }

  /** Checks a window and its pieces (COLL-25). */
  static void checkWindow(
      SwitchMember member,
      int n,
      MemoryHandle @Nullable [] mrs,
      long @Nullable [] offsets,
      long @Nullable [] lengths,
      long bytesPerRank,
      long windowOffset,
      long windowBytes) {
    if (n < 1
        || mrs == null
        || offsets == null
        || lengths == null
        || Math.min(mrs.length, Math.min(offsets.length, lengths.length)) < n) {
      throw SwitchFailures.argument(n + " pieces, expected 1 or more and arrays that are as long");
    }
    long sum = 0;
    for (int i = 0; i < n; i++) {
      region(member, mrs[i]).check(offsets[i], lengths[i]);
      sum += Math.min(lengths[i], Long.MAX_VALUE - sum);
    }
    if (bytesPerRank < 0
        || bytesPerRank > Long.MAX_VALUE / member.nranks()
        || windowOffset < 0
        || sum != windowBytes
        || sum > Descriptor.MOST_BYTES
        || windowOffset > bytesPerRank * member.nranks() - sum) {
      throw SwitchFailures.argument(
          ErrorText.of(
              "a window of %d bytes from %d on in pieces of %d, of %s times %d",
              windowBytes, windowOffset, sum, member.nranks(), bytesPerRank));
    }
  }

  /** Returns how many bytes of the window are a member's own. */
  static long own(SwitchMember member, long bytesPerRank, long offset, long bytes) {
    long begin = Math.clamp(bytesPerRank * member.rank() - offset, 0, bytes);
    return Math.clamp(bytesPerRank * (member.rank() + 1L) - offset, 0, bytes) - begin;
  }

  /** Returns memory that was registered with a member. */
  static SwitchRegion region(SwitchMember member, @Nullable MemoryHandle token) {
    if (token instanceof SwitchRegion region && region.isOf(member)) {
      return region;
    }
    throw SwitchFailures.token("memory registered with this comm", token);
  }
}
