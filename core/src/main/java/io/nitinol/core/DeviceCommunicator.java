// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.call.BufferCheck;
import io.nitinol.core.device.DeviceCalls;
import io.nitinol.core.device.DeviceRank;
import io.nitinol.core.device.DeviceTransfers;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.toolkit.thread.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One rank's membership in a group of ranks that run collectives on the memory of devices, each as
 * work of a stream; mirrors {@code ncclComm_t} and the calls that take a {@code cudaStream_t}. It
 * stands on a {@link Communicator}, by which the ranks meet, hear of failures and, where ranks
 * cannot reach each other's memory, move data over the network.
 *
 * <pre>{@code
 * DeviceProvider cuda = Devices.provider();
 * try (Communicator ranks = Communicator.init(id, size, rank);
 *     DeviceCommunicator comm = DeviceCommunicator.join(ranks, cuda, cuda.devices().get(local))) {
 *   comm.allReduce(in, out, count, DataType.FLOAT32, ReductionOp.SUM, stream);
 *   comm.await(stream);
 * }
 * }</pre>
 *
 * <p><b>Order.</b> Every rank makes the same calls in the same order. A call puts work into the
 * caller's stream and returns; it waits neither for the work nor for other ranks. Calls of one
 * communicator go into one stream, or the caller orders its streams by events. One thread may call
 * for several ranks in turn. Within a {@link Group} calls are collected, and the group's end puts
 * them into their streams: sends and receives first, as one operation, then the collectives.
 *
 * <p>Where data goes through host memory, a call does wait while the driver's queue of its stream
 * is full. One thread that calls for several ranks then puts no more than about 128 MiB for each
 * rank before it calls for the next, or fewer with reduce-scatter and all-gather of many ranks;
 * with more, the calls fail after {@code NITINOL_TIMEOUT}. A thread for each rank has no such
 * limit.
 *
 * <p><b>Counts</b> are in elements and may exceed 2<sup>31</sup>; with 0 a collective does nothing.
 * Addresses of elements are divisible by the size of the type. Buffers may be longer than needed.
 * They belong to the caller and stay as they are until the stream has come behind the call.
 *
 * <p><b>Graphs.</b> A call on a stream that is capturing becomes part of the graph, which is
 * launched on all ranks equally often, and no more once this communicator is closed. Where data
 * goes through host memory, since not all devices reach each other, calls cannot be captured:
 * INVALID_USAGE.
 *
 * <p><b>Results</b> are there when the stream has come behind the call and {@link #check} throws
 * nothing; {@link #await(DeviceStream)} does both. A stream that another library synchronizes comes
 * free after a failure, too, with undefined results.
 *
 * <p><b>Errors.</b> Calls throw a {@link CommException}: INVALID_ARGUMENT or INVALID_USAGE for a
 * mistake, which leaves everything as it was; another code when the communicator has failed. When a
 * rank dies or aborts, all ranks' streams come free and all calls name the same rank.
 *
 * <p><b>Threads.</b> One thread at a time calls; {@link #abort}, {@link #check} and {@link #await}
 * may come from any thread.
 */
public final class DeviceCommunicator implements AutoCloseable {
  private final Communicator communicator;
  private final boolean owns;
  private final Device device;
  private final DeviceRank end;
  private final DeviceCalls calls;
  private final DeviceTransfers transfers;

  private DeviceCommunicator(
      Communicator communicator, boolean owns, Device device, DeviceRank end) {
    this.communicator = communicator;
    this.owns = owns;
    this.device = device;
    this.end = end;
    this.calls = end.calls();
    this.transfers = end.transfers();
  }

  /**
   * Joins a group of ranks; as {@link Communicator#init(UniqueId, int, int, CommConfig)} with
   * {@link CommConfig#withNear}, and then {@link #join}. Closing this communicator closes that one,
   * too.
   *
   * @param id the same on all ranks, made by one of them, and used for one group only
   * @param nRanks how many ranks there are
   * @param rank which of them this is, from 0; each is taken once
   * @param config what the application wants
   * @param provider the kind of device, the same on all ranks
   * @param device this rank's device, one of the provider's
   * @return this rank's end
   * @throws CommException as those two; nothing is left then
   */
  public static DeviceCommunicator init(
      UniqueId id,
      int nRanks,
      int rank,
      CommConfig config,
      DeviceProvider provider,
      Device device) {
    BufferCheck.given("init", "provider", provider);
    BufferCheck.given("init", "device", device);
    BufferCheck.given("init", "config", config);
    Communicator communicator = Communicator.init(id, nRanks, rank, near(config, device));
    try {
      return join(communicator, provider, device, true);
    } catch (RuntimeException | Error e) {
      try {
        communicator.close();
      } catch (CommException closing) {
        e.addSuppressed(closing);
      }
      throw e;
    }
  }

  /** Returns a configuration for a rank on a device, unless it names another one. */
  static CommConfig near(CommConfig config, Device device) {
    return config.near() == null ? config.withNear(device.pciId()) : config;
  }

  /**
   * Makes all ranks of a group in this process, one on each device; mirrors {@code
   * ncclCommInitAll}. A device may be named several times where its provider allows it. Closing
   * each closes its {@link #communicator} too.
   *
   * @param provider the kind of device
   * @param devices the device of each rank, at least one, all of the provider
   * @param config what the application wants, the same for all
   * @return the communicators by rank
   * @throws CommException as {@link #init}; no rank is left then
   */
  public static List<DeviceCommunicator> initAll(
      DeviceProvider provider, List<Device> devices, CommConfig config) {
    BufferCheck.given("initAll", "provider", provider);
    BufferCheck.given("initAll", "devices", devices);
    BufferCheck.given("initAll", "config", config);
    return LocalGroup.init(provider, List.copyOf(devices), config);
  }

  /**
   * Puts a device's memory under a communicator. Every rank of it calls this, each on a thread of
   * its own, and they wait for each other.
   *
   * @param communicator stays the caller's, is used as before beside this one, and is closed after
   *     it. Its name, log and variables are this one's, too
   * @param provider the kind of device, the same on all ranks
   * @param device this rank's device, one of the provider's
   * @return this rank's end
   * @throws CommException where a rank fails or the devices cannot be used together; then on every
   *     rank, and the communicator is as before unless it has failed itself
   */
  public static DeviceCommunicator join(
      Communicator communicator, DeviceProvider provider, Device device) {
    return join(communicator, provider, device, false);
  }

  /** As the other join; {@code owns} says whether closing this one closes that communicator. */
  static DeviceCommunicator join(
      Communicator communicator, DeviceProvider provider, Device device, boolean owns) {
    BufferCheck.given("join", "communicator", communicator);
    BufferCheck.given("join", "provider", provider);
    BufferCheck.given("join", "device", device);
    CommConfig config = communicator.config();
    return new DeviceCommunicator(
        communicator,
        owns,
        device,
        DeviceRank.join(
            communicator.assembled(), config.settings(), config.logger(), provider, device));
  }

  /** Returns the communicator on host memory that this one stands on; it may be used beside it. */
  public Communicator communicator() {
    return communicator;
  }

  /** Returns this rank, from 0; mirrors {@code ncclCommUserRank}. */
  public int rank() {
    return communicator.rank();
  }

  /** Returns how many ranks there are; mirrors {@code ncclCommCount}. */
  public int size() {
    return communicator.size();
  }

  /** Returns the device whose memory buffers are; mirrors {@code ncclCommCuDevice}. */
  public Device device() {
    return device;
  }

  /** Returns one line about how the ranks reach each other, for reports. */
  public String describe() {
    return end.description();
  }

  /**
   * Lets collectives use a buffer of each rank in place; mirrors {@code ncclCommWindowRegister}.
   * All ranks call it in the same order as other calls of this kind, and wait for each other, so a
   * thread that drives several ranks starts a thread for each here.
   *
   * @param buffer memory of this rank's device, of the same size on all ranks, at least 1 byte;
   *     stays the caller's and stays allocated until the window or the communicator is closed
   * @return the window, to be closed before this communicator
   * @throws CommException INVALID_ARGUMENT where the memory cannot be registered, SYSTEM_ERROR
   *     where a process does not open another's memory: then on every rank, and the communicator
   *     works on
   */
  public DeviceWindow register(DeviceBuffer buffer) {
    BufferCheck.given("register", "buffer", buffer);
    return new DeviceWindow(
        end, buffer, end.register(Objects.requireNonNull(DeviceBuffer.piece(buffer))));
  }

  /**
   * Reduces {@code count} elements of all ranks' {@code send} buffers into every rank's {@code
   * recv} buffer; mirrors {@code ncclAllReduce}. All ranks get the same bits.
   *
   * @param send this rank's contribution, {@code count} elements
   * @param recv where the result goes; at the very address of {@code send} for in place, or else
   *     not overlapping it
   * @param count how many elements, the same on all ranks
   * @param type the type of the elements
   * @param op the operator
   * @param stream where the work goes, a stream of this rank's device
   */
  public void allReduce(
      DeviceBuffer send,
      DeviceBuffer recv,
      long count,
      DataType type,
      ReductionOp op,
      DeviceStream stream) {
    calls.allReduce(
        Group.current(),
        DeviceBuffer.piece(send),
        DeviceBuffer.piece(recv),
        count,
        type,
        op,
        null,
        stream);
  }

  /**
   * As the other all-reduce, with a pre-multiplied sum.
   *
   * @param op made by {@link #communicator()}
   */
  public void allReduce(
      DeviceBuffer send,
      DeviceBuffer recv,
      long count,
      DataType type,
      PreMulSum op,
      DeviceStream stream) {
    calls.allReduce(
        Group.current(),
        DeviceBuffer.piece(send),
        DeviceBuffer.piece(recv),
        count,
        type,
        null,
        PreMulSum.sum(op),
        stream);
  }

  /**
   * Reduces {@code count} elements of all ranks' {@code send} buffers into the {@code recv} buffer
   * of rank {@code root}; mirrors {@code ncclReduce}.
   *
   * @param send this rank's contribution
   * @param recv where the result goes, on the root; at the very address of {@code send} for in
   *     place, or else not overlapping it. Not written on other ranks, where it may be null unless
   *     the root's is in a {@link DeviceWindow}
   * @param root the rank that gets the result
   */
  public void reduce(
      DeviceBuffer send,
      @Nullable DeviceBuffer recv,
      long count,
      DataType type,
      ReductionOp op,
      int root,
      DeviceStream stream) {
    calls.reduce(
        Group.current(),
        DeviceBuffer.piece(send),
        DeviceBuffer.piece(recv),
        count,
        type,
        op,
        null,
        root,
        stream);
  }

  /** As the other reduction to one rank, with a pre-multiplied sum. */
  public void reduce(
      DeviceBuffer send,
      @Nullable DeviceBuffer recv,
      long count,
      DataType type,
      PreMulSum op,
      int root,
      DeviceStream stream) {
    calls.reduce(
        Group.current(),
        DeviceBuffer.piece(send),
        DeviceBuffer.piece(recv),
        count,
        type,
        null,
        PreMulSum.sum(op),
        root,
        stream);
  }

  /**
   * Copies {@code count} elements of the {@code send} buffer of rank {@code root} into every rank's
   * {@code recv} buffer; mirrors {@code ncclBroadcast}.
   *
   * @param send the data, on the root. Not read on other ranks, where it may be null unless the
   *     root's is in a {@link DeviceWindow}
   * @param recv where it goes; on the root at the very address of {@code send} for in place, or
   *     else not overlapping it
   * @param root the rank whose data it is
   */
  public void broadcast(
      @Nullable DeviceBuffer send,
      DeviceBuffer recv,
      long count,
      DataType type,
      int root,
      DeviceStream stream) {
    calls.broadcast(
        Group.current(),
        DeviceBuffer.piece(send),
        DeviceBuffer.piece(recv),
        count,
        type,
        root,
        stream);
  }

  /**
   * Gives every rank the data of every rank, in the order of ranks; mirrors {@code ncclAllGather}.
   *
   * @param send this rank's {@code sendCount} elements
   * @param recv {@code size} times {@code sendCount} elements; in place where {@code send} is this
   *     rank's part of it, on all ranks or none, or else not overlapping it
   */
  public void allGather(
      DeviceBuffer send, DeviceBuffer recv, long sendCount, DataType type, DeviceStream stream) {
    calls.allGather(
        Group.current(),
        DeviceBuffer.piece(send),
        DeviceBuffer.piece(recv),
        sendCount,
        type,
        stream);
  }

  /**
   * Reduces the data of all ranks and gives each rank its part of the result; mirrors {@code
   * ncclReduceScatter}.
   *
   * @param send {@code size} times {@code recvCount} elements
   * @param recv {@code recvCount} elements of the result, from element {@code rank} times {@code
   *     recvCount} on; in place where that is their place in {@code send}, on all ranks or none, or
   *     else not overlapping
   */
  public void reduceScatter(
      DeviceBuffer send,
      DeviceBuffer recv,
      long recvCount,
      DataType type,
      ReductionOp op,
      DeviceStream stream) {
    calls.reduceScatter(
        Group.current(),
        DeviceBuffer.piece(send),
        DeviceBuffer.piece(recv),
        recvCount,
        type,
        op,
        null,
        stream);
  }

  /** As the other reduce-scatter, with a pre-multiplied sum. */
  public void reduceScatter(
      DeviceBuffer send,
      DeviceBuffer recv,
      long recvCount,
      DataType type,
      PreMulSum op,
      DeviceStream stream) {
    calls.reduceScatter(
        Group.current(),
        DeviceBuffer.piece(send),
        DeviceBuffer.piece(recv),
        recvCount,
        type,
        null,
        PreMulSum.sum(op),
        stream);
  }

  /**
   * Sends {@code countPerPeer} elements to every rank and receives as many from each; mirrors
   * {@code ncclAlltoAll}. Part {@code i} of {@code send} goes to rank {@code i}, whose part ends as
   * part {@code i} of {@code recv}. There is no in place: the buffers must not overlap.
   */
  public void allToAll(
      DeviceBuffer send, DeviceBuffer recv, long countPerPeer, DataType type, DeviceStream stream) {
    calls.allToAll(
        Group.current(),
        DeviceBuffer.piece(send),
        DeviceBuffer.piece(recv),
        countPerPeer,
        type,
        stream);
  }

  /**
   * Brings {@code sendCount} elements of every rank to rank {@code root}, in the order of ranks;
   * mirrors {@code ncclGather}.
   *
   * @param recv on the root, {@code size} times {@code sendCount} elements; in place where {@code
   *     send} is its own part of it. Not looked at on other ranks
   */
  public void gather(
      DeviceBuffer send,
      @Nullable DeviceBuffer recv,
      long sendCount,
      DataType type,
      int root,
      DeviceStream stream) {
    transfers.gather(
        Group.current(),
        DeviceBuffer.piece(send),
        DeviceBuffer.piece(recv),
        sendCount,
        type,
        root,
        stream);
  }

  /**
   * Brings part {@code i} of the {@code send} buffer of rank {@code root} to rank {@code i};
   * mirrors {@code ncclScatter}.
   *
   * @param send on the root, {@code size} times {@code recvCount} elements. Not looked at on other
   *     ranks
   * @param recv {@code recvCount} elements; in place where it is the root's own part of {@code
   *     send}
   */
  public void scatter(
      @Nullable DeviceBuffer send,
      DeviceBuffer recv,
      long recvCount,
      DataType type,
      int root,
      DeviceStream stream) {
    transfers.scatter(
        Group.current(),
        DeviceBuffer.piece(send),
        DeviceBuffer.piece(recv),
        recvCount,
        type,
        root,
        stream);
  }

  /**
   * Sends to one rank, which receives the same number of elements; mirrors {@code ncclSend}. Ranks
   * that send and receive call both in one {@link Group}, where all sends and receives go into one
   * stream. Messages between two ranks are received in the order in which they are sent. To itself
   * a rank can send within a group only.
   *
   * @param peer the rank to send to
   */
  public void send(DeviceBuffer buffer, long count, DataType type, int peer, DeviceStream stream) {
    transfers.message(Group.current(), true, DeviceBuffer.piece(buffer), count, type, peer, stream);
  }

  /**
   * Receives from one rank, which sends the same number of elements; mirrors {@code ncclRecv}.
   *
   * @param peer the rank to receive from
   */
  public void recv(DeviceBuffer buffer, long count, DataType type, int peer, DeviceStream stream) {
    transfers.message(
        Group.current(), false, DeviceBuffer.piece(buffer), count, type, peer, stream);
  }

  /**
   * Waits until all work of a stream is done and its results may be used. Interrupts are ignored
   * and left for the caller to see.
   *
   * <p>{@code NITINOL_TIMEOUT} limits how long one such wait may last while nothing is done. Of the
   * communicator's own work the wait sees the first call since the last complete wait, every 32nd
   * after it and each that follows on 16 MiB of calls; the limit begins when the stream has come to
   * that first call, and anew with each of the others, and where data goes through host memory with
   * each piece of it too. One call within a team, other work of the stream between calls and a
   * graph, into which nobody sees, count as waiting while they last: where they take longer, raise
   * the limit. The communicator then fails on all ranks, and names the rank that does not wait for
   * anybody, or none where all wait.
   *
   * @param stream a stream of this rank's device
   * @throws CommException when the communicator fails; TIMEOUT, on all ranks, where the wait has
   *     seen nothing done for {@code NITINOL_TIMEOUT} seconds
   */
  public void await(DeviceStream stream) {
    if (!end.await(stream, -1)) {
      throw new CommException(
          ResultCode.INTERNAL_ERROR, "an unlimited wait has ended before its stream");
    }
  }

  /**
   * As {@link #await(DeviceStream)}, for a limited time. However long that is, it never fails the
   * communicator.
   *
   * @param limit how long to wait at most; 0 or less only asks
   * @return whether all work is done; if not it goes on, and can be waited for again
   * @throws CommException when the communicator fails
   */
  public boolean await(DeviceStream stream, Duration limit) {
    BufferCheck.given("await", "limit", limit);
    return end.await(stream, Waits.nanos(limit));
  }

  /**
   * Throws the failure of the communicator, if there is one; mirrors {@code ncclCommGetAsyncError}.
   * Never waits, but for a few seconds at most where the devices have failed and the ranks do not
   * know yet why.
   *
   * @throws CommException the failure, which names the same rank on all ranks
   */
  public void check() {
    end.check();
  }

  /**
   * Fails the communicator on all ranks, naming this one, and frees this rank's streams; mirrors
   * {@code ncclCommAbort}. The {@link #communicator} below fails with it. Returns at once; {@link
   * #close} still has to follow.
   */
  public void abort() {
    communicator.abort();
  }

  /**
   * Frees what it holds, windows included; mirrors {@code ncclCommDestroy}. Work under way gets 10
   * s to end, then the communicator is aborted; so streams with work that was not waited for stay
   * open until then. Every rank calls it, and waits for ranks in other processes whose devices use
   * its memory. The memory of ranks in one process is freed when all of them are closed, which one
   * thread may do. Closing twice does nothing.
   *
   * @throws CommException where a rank that uses this one's memory does not close in time; this one
   *     is closed all the same
   */
  @Override
  public void close() {
    if (owns) {
      try (communicator) {
        end.close();
      }
    } else {
      end.close();
    }
  }
}
