// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.finder.v1.FoundNet;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A network plugin without a network, whose accept waits until it is let go. */
final class FakeNet {
  /** What was called, in order. */
  final List<String> calls = Collections.synchronizedList(new ArrayList<>());

  /** Ends the wait of accept. */
  final CountDownLatch peer = new CountDownLatch(1);

  final List<NetProperties> devices = new ArrayList<>();
  boolean starts = true;

  /** Ends the wait of connect, which does not wait unless this is set. */
  @Nullable CountDownLatch connects;

  /** What connect throws; null for nothing. */
  @Nullable NetException refuses;

  /** Whether connect is null until the other side, which is this one, is in accept. */
  boolean connectNeedsAccept;

  private static final class Token implements NetContext, ListenComm, SendComm, RecvComm {}

  static NetProperties device(String name, PointerType type, NetDeviceType driver, long most) {
    return new NetProperties(
        name,
        null,
        0,
        type.mask(),
        false,
        false,
        1000,
        0,
        0,
        64,
        1,
        driver,
        0,
        VirtualDevice.physical(0),
        most,
        most,
        1,
        NetProperties.ID_UNDEFINED,
        NetProperties.ID_UNDEFINED);
  }

  FakeNet withDevice() {
    devices.add(device("good", PointerType.HOST, NetDeviceType.HOST, 1L << 30));
    return this;
  }

  FoundNet as(int version) {
    Net net =
        (Net)
            Proxy.newProxyInstance(
                Net.class.getClassLoader(),
                new Class<?>[] {Net.class},
                (self, method, arguments) -> call(method.getName(), arguments));
    return new FoundNet(net, version, "a test", FakeNet.class.getClassLoader());
  }

  private Object call(String method, Object[] arguments) throws InterruptedException {
    if (!List.of("name", "devices", "getProperties", "hashCode").contains(method)) {
      calls.add(method);
    }
    return switch (method) {
      case "name" -> "Fake";
      case "devices" -> devices.size();
      case "getProperties" -> devices.get((int) arguments[0]);
      case "hashCode" -> 1;
      case "init" -> {
        if (!starts) {
          throw new NetException(ResultCode.SYSTEM_ERROR, "only one context");
        }
        yield new Token();
      }
      case "accept" -> {
        if (!peer.await(20, TimeUnit.SECONDS)) {
          throw new NetException(ResultCode.TIMEOUT, "nobody came");
        }
        yield new Token();
      }
      case "listen" -> new Token();
      case "connect" -> connect();
      default -> null;
    };
  }

  private @Nullable Token connect() throws InterruptedException {
    if (refuses != null) {
      throw refuses;
    }
    if (connects != null && !connects.await(20, TimeUnit.SECONDS)) {
      throw new NetException(ResultCode.TIMEOUT, "the test did not let connect go on");
    }
    return connectNeedsAccept && !calls.contains("accept") ? null : new Token();
  }
}
