// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.device.v1;

import io.nitinol.spi.Collective;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rank's end of a team: ranks on devices of one host that run fused collectives, each as one
 * launch on a stream of that rank's device.
 *
 * <p><b>Order.</b> All ranks launch the same operations in the same order, with arguments that
 * agree. Launches of one rank are in the order of one stream, or the caller orders its streams by
 * events. A launch never waits for other ranks; the work on the stream does. So one thread may
 * launch for several ranks in turn.
 *
 * <p><b>Addresses</b> are those of {@link DeviceStream}, with any alignment; of elements they are
 * divisible by the size of the type. Buffers that lie in a {@link TeamWindow} are used in place;
 * others may be copied through memory of the team. Source and destination may be the same bytes
 * where the method says so, and else do not overlap. Sizes and counts may exceed 2<sup>31</sup>; 0
 * does nothing.
 *
 * <p><b>Ranks of a process.</b> Whether two ranks of a team may have the same device is the
 * provider's choice; {@link Device#joinTeam} is UNSUPPORTED where they may not.
 *
 * <p><b>Results</b> follow {@code docs/numerics.md}. The order of floating-point sums is the
 * provider's choice, and the same for each element on all ranks: they end with the same bits.
 *
 * <p><b>Threads.</b> One thread at a time launches, opens and closes windows; {@link #abort} and
 * {@link #failure} may come from any thread at any time.
 *
 * <p><b>Errors.</b> Every launch throws a {@link DeviceException}: TEAM_ABORTED after an abort,
 * UNSUPPORTED where {@link #supports} is false, INVALID_ARGUMENT for wrong numbers or a stream of
 * another device. What throws has launched nothing.
 */
public interface DeviceTeam extends AutoCloseable {

  /** {@return the number of this rank} */
  int rank();

  /** {@return the number of ranks} */
  int ranks();

  /** {@return the device of this rank} */
  Device device();

  /** {@return how many blocks an operation runs at the most} */
  int blocks();

  /**
   * Returns whether the team runs an operation. The same answer each time and on every rank.
   *
   * @param collective the operation; for SEND, RECV, SEND_RECV, GATHER and SCATTER the answer is
   *     that of {@link #transfer}
   * @param reduction what is computed; null for collectives that only move bytes
   * @return true if it does
   */
  boolean supports(Collective collective, @Nullable DeviceReduction reduction);

  /**
   * Opens a window: memory of each rank that launches use in place. All ranks call it in the same
   * order as everything of the team that exchanges, and wait for each other.
   *
   * @param address the first byte of this rank's piece, of its device's memory, another library's
   *     perhaps; the caller keeps it alive until the window is closed
   * @param size the number of bytes, the same on all ranks, at least 1
   * @return the window, owned by the caller until {@link TeamWindow#close}
   * @throws DeviceException with IPC_REFUSED or INVALID_ARGUMENT, then on every rank, and the team
   *     goes on working
   */
  TeamWindow openWindow(long address, long size);

  /**
   * Reduces the ranks' data and gives all of them the result; mirrors {@code ncclAllReduce}.
   *
   * @param stream where the work goes
   * @param reduction what is computed
   * @param src this rank's contribution
   * @param dst where the result goes; may be {@code src}
   * @param count the number of elements
   */
  void allReduce(DeviceStream stream, DeviceReduction reduction, long src, long dst, long count);

  /**
   * Reduces the ranks' data and gives each of them its share; mirrors {@code ncclReduceScatter}.
   *
   * @param stream where the work goes
   * @param reduction what is computed
   * @param src this rank's contribution, {@code count} elements for each rank
   * @param dst where this rank's share goes; may be its place in {@code src}
   * @param count the number of elements of one share
   */
  void reduceScatter(
      DeviceStream stream, DeviceReduction reduction, long src, long dst, long count);

  /**
   * Reduces the ranks' data and gives one of them the result; mirrors {@code ncclReduce}.
   *
   * @param stream where the work goes
   * @param reduction what is computed
   * @param src this rank's contribution
   * @param dst where the result goes; may be {@code src}; written on the root only
   * @param count the number of elements
   * @param root the rank that gets the result
   */
  void reduce(
      DeviceStream stream, DeviceReduction reduction, long src, long dst, long count, int root);

  /**
   * Gives every rank the data of all; mirrors {@code ncclAllGather}.
   *
   * @param stream where the work goes
   * @param src this rank's data
   * @param dst where all data go, in the order of the ranks; {@code src} may be this rank's place
   *     there
   * @param size the number of bytes of one rank
   */
  void allGather(DeviceStream stream, long src, long dst, long size);

  /**
   * Gives every rank the data of one; mirrors {@code ncclBroadcast}.
   *
   * @param stream where the work goes
   * @param src the data; read on the root only
   * @param dst where they go, on the root too; may be {@code src}
   * @param size the number of bytes
   * @param root the rank whose data it is
   */
  void broadcast(DeviceStream stream, long src, long dst, long size, int root);

  /**
   * Gives every rank the part of each rank's data that is meant for it; mirrors {@code
   * ncclAlltoAll}.
   *
   * @param stream where the work goes
   * @param src this rank's data, {@code size} bytes for each rank in their order
   * @param dst where the parts go, in the order of the ranks that sent them; not {@code src}
   * @param size the number of bytes of one part
   */
  void allToAll(DeviceStream stream, long src, long dst, long size);

  /**
   * Sends and receives, as many as belong together; mirrors {@code ncclSend} and {@code ncclRecv}
   * between {@code ncclGroupStart} and {@code ncclGroupEnd}. The k-th send to a rank fills the k-th
   * receive from here there, in the operation with the same number among those of this pair of
   * ranks; other ranks need not take part. Whatever the order in the list, transfers of one call
   * never wait for each other. What a rank receives overlaps nothing else of the call, but that it
   * may receive from itself where it sends from.
   *
   * @param stream where the work goes
   * @param transfers the sends and receives, at most {@link #MAX_TRANSFERS}; not kept
   */
  void transfer(DeviceStream stream, List<TeamTransfer> transfers);

  /** The most transfers of one call. */
  int MAX_TRANSFERS = 1024;

  /**
   * Ends every operation of this rank, running or not yet begun, whatever the other ranks do. Their
   * streams come free within 10 s, and what the operations were to write is undefined. Returns at
   * once. A second call does nothing. The other ranks need an abort of their own: the caller
   * spreads the word.
   *
   * @param reason what went wrong, for the messages of later calls
   */
  void abort(String reason);

  /**
   * Returns why results of this team are not to be used: after its stream has come to an operation,
   * the caller asks this before it believes the result; mirrors {@code ncclCommGetAsyncError}.
   *
   * @return a failure, TEAM_ABORTED after an abort; null where there is none
   */
  @Nullable DeviceException failure();

  /**
   * Frees what the team holds, windows included. Exchanges nothing. The caller has made sure that
   * the launches of all ranks are complete, or aborted and their streams free; graphs that have
   * recorded launches are not launched any more. Memory of windows that are open now is freed when
   * all ranks have closed the team: other processes have it open until then. A second call does
   * nothing.
   */
  @Override
  void close();
}
