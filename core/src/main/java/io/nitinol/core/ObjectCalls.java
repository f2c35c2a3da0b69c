// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.call.BufferCheck;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a communicator for Java objects, which may be of different lengths on each rank;
 * such as {@code bcast} and {@code allgather} of mpi4py. Each returns when it is done. An object
 * goes as bytes over the network that all calls use: its length first, then itself. All objects of
 * a call together have at most 2147483639 bytes, the longest array of Java; with more it throws
 * INVALID_ARGUMENT on all ranks.
 *
 * <p>Errors are those of {@link BlockingCalls}, and what the codec throws. A rank that cannot give
 * its object, since it has none or the codec throws, tells the other ranks of the call: they throw
 * INVALID_ARGUMENT and name it, and the communicator stays usable. A rank that has no memory for
 * the objects of others is out of step with them: close the communicator then.
 *
 * @param <T> the type of the objects
 */
@AnyThread
public final class ObjectCalls<T> {
  /** The longest array of Java. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private static final String AT_MOST = "at most " + MOST_BYTES + " for all ranks together";

  /** The length that a root tells of objects that are too large. */
  private static final int TOO_LARGE = -1;

  /** The length that a rank tells which cannot give its object. */
  private static final int NOTHING = -2;

  private final Communicator communicator;
  private final BlockingCalls calls;
  private final ObjectCodec<T> codec;

  ObjectCalls(Communicator communicator, ObjectCodec<T> codec) {
    BufferCheck.given("objects", "codec", codec);
    this.communicator = communicator;
    this.calls = communicator.blocking();
    this.codec = codec;
  }

  /**
   * Gives every rank the root's object.
   *
   * @param object on the root; not looked at on other ranks
   * @return on the root the object itself, on the others one that is equal as far as the codec goes
   */
  public T broadcast(@Nullable T object, int root) {
    BufferCheck.rank("broadcast", "root", root, communicator.size());
    boolean source = communicator.rank() == root;
    byte[] bytes =
        source
            ? encode("broadcast", object, () -> calls.broadcast(new int[] {NOTHING}, root))
            : new byte[0];
    int[] length = {bytes.length};
    calls.broadcast(length, root);
    if (!source) {
      bytes = new byte[length("broadcast", length[0], root)];
    }
    calls.broadcast(bytes, root);
    return source && object != null ? object : codec.decode(bytes);
  }

  /** Gives every rank the objects of all ranks, in the order of ranks. */
  public List<T> allGather(T object) {
    int[] lengths = new int[communicator.size()];
    byte[] mine = encode("all_gather", object, () -> calls.allGather(new int[] {NOTHING}, lengths));
    calls.allGather(new int[] {mine.length}, lengths);
    long[] counts = counts("all_gather", lengths);
    byte[] all = new byte[total("all_gather", "object", counts)];
    calls.allGatherV(mine, all, counts);
    return decode(all, counts);
  }

  /**
   * Brings the objects of all ranks to one.
   *
   * @return the objects on the root, in the order of ranks; an empty list on the others
   */
  public List<T> gather(T object, int root) {
    BufferCheck.rank("gather", "root", root, communicator.size());
    int[] lengths = new int[communicator.size()];
    byte[] mine = encode("gather", object, () -> calls.allGather(new int[] {NOTHING}, lengths));
    // To all: a total that is too large is an error of every rank then, and not of the root alone.
    calls.allGather(new int[] {mine.length}, lengths);
    long[] counts = counts("gather", lengths);
    int total = total("gather", "object", counts);
    if (communicator.rank() != root) {
      calls.gatherV(mine, null, null, root);
      return List.of();
    }
    byte[] all = new byte[total];
    calls.gatherV(mine, all, counts, root);
    return decode(all, counts);
  }

  /**
   * Gives each rank its own object of the root's.
   *
   * @param objects on the root, one for each rank; not looked at on other ranks
   */
  public T scatter(@Nullable List<? extends T> objects, int root) {
    int size = communicator.size();
    BufferCheck.rank("scatter", "root", root, size);
    if (communicator.rank() != root) {
      int[] length = new int[1];
      calls.scatter((int[]) null, length, root);
      if (length[0] == TOO_LARGE) {
        throw BufferCheck.invalid("scatter", "objects", "too large on rank " + root, AT_MOST);
      }
      byte[] mine = new byte[length("scatter", length[0], root)];
      calls.scatterV((byte[]) null, null, mine, root);
      return codec.decode(mine);
    }
    Runnable refuse = () -> calls.scatter(each(size, NOTHING), new int[1], root);
    if (objects == null || objects.size() != size) {
      CommException invalid =
          BufferCheck.invalid(
              "scatter",
              "objects",
              objects == null ? "null" : "a list of " + objects.size(),
              ErrorText.of("one for each of %d ranks", size));
      tell(refuse, invalid);
      throw invalid;
    }
    List<byte[]> parts = new ArrayList<>();
    for (T each : objects) {
      parts.add(encode("scatter", each, refuse));
    }
    int[] lengths = parts.stream().mapToInt(each -> each.length).toArray();
    long[] counts = counts("scatter", lengths);
    byte[] all;
    try {
      all = new byte[total("scatter", "objects", counts)];
    } catch (CommException | OutOfMemoryError e) {
      tell(() -> calls.scatter(each(size, TOO_LARGE), new int[1], root), e);
      throw e;
    }
    int end = 0;
    for (byte[] each : parts) {
      System.arraycopy(each, 0, all, end, each.length);
      end += each.length;
    }
    calls.scatter(lengths, new int[1], root);
    byte[] mine = new byte[lengths[root]];
    calls.scatterV(all, counts, mine, root);
    return objects.get(root);
  }

  private static int[] each(int ranks, int length) {
    int[] lengths = new int[ranks];
    Arrays.fill(lengths, length);
    return lengths;
  }

  /**
   * Returns the bytes of an object.
   *
   * @param refuse tells the other ranks that there are none: they wait for them
   */
  private byte[] encode(String call, @Nullable T object, Runnable refuse) {
    try {
      if (object == null) {
        throw BufferCheck.invalid(call, "object", "null", "an object");
      }
      byte[] bytes = codec.encode(object);
      if (bytes == null) {
        throw BufferCheck.invalid(call, "object", "encoded as null", "a codec that gives bytes");
      }
      return bytes;
    } catch (RuntimeException | Error e) {
      tell(refuse, e);
      throw e;
    }
  }

  private static void tell(Runnable refuse, Throwable cause) {
    try {
      refuse.run();
    } catch (RuntimeException | Error e) {
      cause.addSuppressed(e); // the caller needs the first reason
    }
  }

  private List<T> decode(byte[] all, long[] counts) {
    List<T> objects = new ArrayList<>();
    int at = 0;
    for (long count : counts) {
      int end = at + (int) count;
      objects.add(codec.decode(Arrays.copyOfRange(all, at, end)));
      at = end;
    }
    return objects;
  }

  private static int length(String call, int length, int rank) {
    if (length == NOTHING) {
      throw BufferCheck.invalid(
          call,
          "object",
          "not given by rank " + rank,
          ErrorText.of("one of each rank that gives; rank %d has the reason", rank));
    }
    if (length < 0) {
      throw new CommException(
          ResultCode.INTERNAL_ERROR,
          ErrorText.of("%s: rank %d announces an object of %d bytes", call, rank, length));
    }
    return length;
  }

  private static long[] counts(String call, int[] lengths) {
    long[] counts = new long[lengths.length];
    for (int i = 0; i < lengths.length; i++) {
      counts[i] = length(call, lengths[i], i);
    }
    return counts;
  }

  private static int total(String call, String name, long[] counts) {
    long total = Arrays.stream(counts).sum();
    if (total > MOST_BYTES) {
      throw BufferCheck.invalid(call, name, total + " bytes for all ranks together", AT_MOST);
    }
    return (int) total;
  }
}
