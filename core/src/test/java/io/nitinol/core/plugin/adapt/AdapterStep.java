// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import java.util.List;
import java.util.function.Function;

/**
 * A step between two versions.
 *
 * @param from the interface that it wraps
 * @param to the interface that it shows
 * @param make makes it
 * @param changed operations whose arguments or answer it changes; each has a test of its own
 * @param reaching those of them that reach the plugin all the same
 */
record AdapterStep<O, N>(
    Class<O> from, Class<N> to, Function<O, N> make, List<String> changed, List<String> reaching) {

  static final AdapterStep<io.nitinol.spi.net.v4.Net, io.nitinol.spi.net.v5.Net> NET_4 =
      new AdapterStep<>(
          io.nitinol.spi.net.v4.Net.class,
          io.nitinol.spi.net.v5.Net.class,
          NetV4ToV5::new,
          List.of("getProperties", "listen", "connect", "isend", "irecv", "iflush"),
          List.of("getProperties", "listen", "connect", "isend", "irecv", "iflush"));

  static final AdapterStep<io.nitinol.spi.net.v5.Net, io.nitinol.spi.net.v6.Net> NET_5 =
      new AdapterStep<>(
          io.nitinol.spi.net.v5.Net.class,
          io.nitinol.spi.net.v6.Net.class,
          NetV5ToV6::new,
          List.of("getProperties", "regMrDmaBuf"),
          List.of("getProperties"));

  static final AdapterStep<io.nitinol.spi.net.v6.Net, io.nitinol.spi.net.v7.Net> NET_6 =
      new AdapterStep<>(
          io.nitinol.spi.net.v6.Net.class,
          io.nitinol.spi.net.v7.Net.class,
          NetV6ToV7::new,
          List.of("getProperties", "connect", "accept", "getDeviceMr", "irecvConsumed", "supports"),
          List.of("getProperties", "connect", "accept"));

  static final AdapterStep<io.nitinol.spi.net.v7.Net, io.nitinol.spi.net.v8.Net> NET_7 =
      new AdapterStep<>(
          io.nitinol.spi.net.v7.Net.class,
          io.nitinol.spi.net.v8.Net.class,
          NetV7ToV8::new,
          List.of("getProperties"),
          List.of("getProperties"));

  static final AdapterStep<io.nitinol.spi.net.v8.Net, io.nitinol.spi.net.v9.Net> NET_8 =
      new AdapterStep<>(
          io.nitinol.spi.net.v8.Net.class,
          io.nitinol.spi.net.v9.Net.class,
          NetV8ToV9::new,
          List.of("getProperties", "irecv", "makeVDevice"),
          List.of("getProperties", "irecv"));

  static final AdapterStep<io.nitinol.spi.net.v9.Net, io.nitinol.spi.net.v10.Net> NET_9 =
      new AdapterStep<>(
          io.nitinol.spi.net.v9.Net.class,
          io.nitinol.spi.net.v10.Net.class,
          NetV9ToV10::new,
          List.of("getProperties", "init", "connect", "isend", "irecv"),
          List.of("getProperties", "init", "connect", "isend", "irecv"));

  static final AdapterStep<io.nitinol.spi.net.v10.Net, io.nitinol.spi.net.v11.Net> NET_10 =
      new AdapterStep<>(
          io.nitinol.spi.net.v10.Net.class,
          io.nitinol.spi.net.v11.Net.class,
          NetV10ToV11::new,
          List.of("getProperties", "init", "listen", "connect", "finalizeContext", "setNetAttr"),
          List.of("getProperties", "init"));

  static final AdapterStep<io.nitinol.spi.net.v11.Net, io.nitinol.spi.net.v12.Net> NET_11 =
      new AdapterStep<>(
          io.nitinol.spi.net.v11.Net.class,
          io.nitinol.spi.net.v12.Net.class,
          NetV11ToV12::new,
          List.of("getProperties"),
          List.of("getProperties"));

  static final AdapterStep<io.nitinol.spi.collnet.v4.CollNet, io.nitinol.spi.collnet.v5.CollNet>
      COLL_4 =
          new AdapterStep<>(
              io.nitinol.spi.collnet.v4.CollNet.class,
              io.nitinol.spi.collnet.v5.CollNet.class,
              CollNetV4ToV5::new,
              List.of("getProperties", "listen", "connect"),
              List.of("getProperties", "listen", "connect"));

  static final AdapterStep<io.nitinol.spi.collnet.v5.CollNet, io.nitinol.spi.collnet.v6.CollNet>
      COLL_5 =
          new AdapterStep<>(
              io.nitinol.spi.collnet.v5.CollNet.class,
              io.nitinol.spi.collnet.v6.CollNet.class,
              CollNetV5ToV6::new,
              List.of("getProperties", "regMrDmaBuf"),
              List.of("getProperties"));

  static final AdapterStep<io.nitinol.spi.collnet.v6.CollNet, io.nitinol.spi.collnet.v7.CollNet>
      COLL_6 =
          new AdapterStep<>(
              io.nitinol.spi.collnet.v6.CollNet.class,
              io.nitinol.spi.collnet.v7.CollNet.class,
              CollNetV6ToV7::new,
              List.of("getProperties"),
              List.of("getProperties"));

  static final AdapterStep<io.nitinol.spi.collnet.v7.CollNet, io.nitinol.spi.collnet.v8.CollNet>
      COLL_7 =
          new AdapterStep<>(
              io.nitinol.spi.collnet.v7.CollNet.class,
              io.nitinol.spi.collnet.v8.CollNet.class,
              CollNetV7ToV8::new,
              List.of("getProperties", "iallgather", "ireducescatter", "supports"),
              List.of("getProperties"));

  static final AdapterStep<io.nitinol.spi.collnet.v8.CollNet, io.nitinol.spi.collnet.v9.CollNet>
      COLL_8 =
          new AdapterStep<>(
              io.nitinol.spi.collnet.v8.CollNet.class,
              io.nitinol.spi.collnet.v9.CollNet.class,
              CollNetV8ToV9::new,
              List.of("getProperties", "iallgather", "ireducescatter", "makeVDevice"),
              List.of("getProperties", "iallgather", "ireducescatter"));

  static final AdapterStep<io.nitinol.spi.collnet.v9.CollNet, io.nitinol.spi.collnet.v10.CollNet>
      COLL_9 =
          new AdapterStep<>(
              io.nitinol.spi.collnet.v9.CollNet.class,
              io.nitinol.spi.collnet.v10.CollNet.class,
              CollNetV9ToV10::new,
              List.of("getProperties"),
              List.of("getProperties"));

  static final AdapterStep<io.nitinol.spi.collnet.v10.CollNet, io.nitinol.spi.collnet.v11.CollNet>
      COLL_10 =
          new AdapterStep<>(
              io.nitinol.spi.collnet.v10.CollNet.class,
              io.nitinol.spi.collnet.v11.CollNet.class,
              CollNetV10ToV11::new,
              List.of("getProperties", "init", "listen", "finalizeContext"),
              List.of("getProperties", "init"));

  static final AdapterStep<io.nitinol.spi.collnet.v11.CollNet, io.nitinol.spi.collnet.v12.CollNet>
      COLL_11 =
          new AdapterStep<>(
              io.nitinol.spi.collnet.v11.CollNet.class,
              io.nitinol.spi.collnet.v12.CollNet.class,
              CollNetV11ToV12::new,
              List.of("getProperties"),
              List.of("getProperties"));

  /** All steps. */
  static final List<AdapterStep<?, ?>> ALL =
      List.of(
          NET_4, NET_5, NET_6, NET_7, NET_8, NET_9, NET_10, NET_11, COLL_4, COLL_5, COLL_6, COLL_7,
          COLL_8, COLL_9, COLL_10, COLL_11);

  /** Puts the step around {@code recorder}. */
  N over(Recorder recorder) {
    return make.apply(recorder.as(from));
  }

  /** Returns whether an operation that the step changes reaches the plugin. */
  boolean reaches(String operation) {
    return reaching.contains(operation);
  }

  @Override
  public String toString() {
    return from.getName() + " as " + to.getName();
  }
}
