// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Each member adds floats in an order that begins with its own contribution. */
@Breaks(value = "COLL-12", also = "NET-MEM-03")
public final class AddsInItsOwnOrder extends MeddlingCollNet {
  private static final Map<String, List<float[]>> CONTRIBUTIONS = new ConcurrentHashMap<>();

  private record Place(
      String group, int rank, int members, AtomicInteger started, AtomicInteger ended) {}

  private final Map<CollComm, Place> places = new ConcurrentHashMap<>();

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    CollComm comm = super.connect(handles, nranks, rank, listenComm);
    String group = HexFormat.of().formatHex(handles[0].toArray(ValueLayout.JAVA_BYTE));
    places.put(comm, new Place(group, rank, nranks, new AtomicInteger(), new AtomicInteger()));
    return comm;
  }

  private static boolean isMine(Result result) {
    return result.type() == DataType.FLOAT32
        && result.op() == ReductionOp.SUM
        && result.from().byteSize() == 4 * 4 * 264
        && result.from().address() != result.to().address();
  }

  private static List<float[]> of(Place place, int number) {
    return CONTRIBUTIONS.computeIfAbsent(
        place.group() + number,
        absent -> new ArrayList<>(java.util.Collections.nCopies(place.members(), new float[0])));
  }

  @Override
  void starting(Result result) {
    Place place = places.get(result.comm());
    if (place != null && isMine(result)) {
      of(place, place.started().getAndIncrement())
          .set(place.rank(), result.from().toArray(ValueLayout.JAVA_FLOAT));
    }
  }

  @Override
  void completed(Result result) {
    Place place = places.get(result.comm());
    if (place == null || !isMine(result)) {
      return;
    }
    List<float[]> all = of(place, place.ended().getAndIncrement());
    float[] sum = all.get(place.rank()).clone();
    for (int i = 1; i < place.members(); i++) {
      float[] next = all.get((place.rank() + i) % place.members());
      for (int k = 0; k < sum.length; k++) {
        sum[k] += next[k];
      }
    }
    result.to().copyFrom(MemorySegment.ofArray(sum));
  }
}
