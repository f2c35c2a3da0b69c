// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each small wrong plugin, under a right caller, is found by the rule that it breaks. */
class PluginDefectsTest {
  private final RecordedLog log = new RecordedLog();

  /** Of the plugin that was watched last. */
  private NetContext context = new NetContext() {};

  private ValidatingNet watch(Net plugin) {
    ValidatingNet net = new ValidatingNet(plugin, 6, ValidationMode.REPORT, log);
    context = ValidatedPair.init(net, log);
    net.devices();
    return net;
  }

  private void found(ValidatingNet net, String... rules) {
    assertThat(net.violations().counts(Party.PLUGIN)).as("%s", log.lines()).containsOnlyKeys(rules);
    assertThat(net.violations().counts()).containsOnlyKeys(rules);
  }

  @Test
  void sel02TheNameChanges() {
    RightNet plugin =
        new RightNet() {
          private int asked;

          @Override
          public String name() {
            return asked++ < 2 ? "Before" : "After";
          }
        };
    ValidatingNet net = new ValidatingNet(plugin, 6, ValidationMode.REPORT, log);
    net.name();
    found(net);
    context = ValidatedPair.init(net, log);
    found(net, "SEL-02");
  }

  @Test
  void dev01TheNumberOfDevicesChanges() {
    ValidatingNet net =
        watch(
            new RightNet() {
              private int asked;

              @Override
              public int devices() {
                return 2 + asked++ / 2;
              }
            });
    net.devices();
    found(net);
    net.devices();
    found(net, "NET-DEV-01");
  }

  private ValidatingNet withProperties(NetProperties properties) {
    ValidatingNet net =
        watch(
            new RightNet() {
              @Override
              public NetProperties getProperties(int device) {
                return properties;
              }
            });
    net.getProperties(0);
    net.getProperties(0);
    return net;
  }

  @Test
  void dev02PropertiesChange() {
    ValidatingNet net =
        watch(
            new RightNet() {
              private int asked;

              @Override
              public NetProperties getProperties(int device) {
                return MemoryNet.device("a", null, asked++, 1, 1, 0, 0, 1, 1);
              }
            });
    net.getProperties(0);
    found(net);
    net.getProperties(0);
    found(net, "NET-DEV-02");
  }

  @Test
  void dev04ImplausibleProperties() {
    found(withProperties(MemoryNet.device(" ", null, 0, 1, 1, 0, 0, 1, 1)), "NET-DEV-04");
    found(withProperties(MemoryNet.device("a", null, 0, 1, 0, 0, 0, 1, 1)), "NET-DEV-04");
    found(withProperties(MemoryNet.device("a", null, 0, 1, 1, 0, Float.NaN, 1, 1)), "NET-DEV-04");
    found(withProperties(MemoryNet.device("a", null, 0, 1, 1, 0, -1, 1, 1)), "NET-DEV-04");
    found(withProperties(MemoryNet.device("a", null, 0, 1, 1, 0, 0, 0, 1)), "NET-DEV-04");
    found(withProperties(MemoryNet.device("a", null, 0, 1, 1, 0, 0, 1, 0)), "NET-DEV-04");
    found(withProperties(MemoryNet.device("a", null, 0, 1, 1, 0, 0, 1, 1)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 4, 5, 8, 9})
  void dev05WrongMasks(int mask) {
    found(withProperties(MemoryNet.device("a", null, 0, mask, 1, 0, 0, 1, 1)), "NET-DEV-05");
  }

  @Test
  void dev06NoSuchPath() {
    found(withProperties(MemoryNet.device("a", "sys", 0, 1, 1, 0, 0, 1, 1)), "NET-DEV-06");
    found(withProperties(MemoryNet.device("a", "/no/card", 0, 1, 1, 0, 0, 1, 1)), "NET-DEV-06");
    found(withProperties(MemoryNet.device("a", "/", 0, 1, 1, 0, 0, 1, 1)));
  }

  @Test
  void dev03AnyDeviceWillDo() {
    ValidatingNet net = withProperties(MemoryNet.device("a", null, 0, 1, 1, 0, 0, 1, 1));
    net.getProperties(7);
    assertThat(net.violations().counts(Party.PLUGIN))
        .as("nor does device 7 consist of device 0")
        .containsOnlyKeys("NET-DEV-03", "NET-DEV-10");
  }

  private static NetProperties with(VirtualDevice parts, long longest, short rail) {
    return new NetProperties(
        "a",
        null,
        0,
        1,
        false,
        false,
        1,
        0,
        0,
        1,
        1,
        NetDeviceType.HOST,
        0,
        parts,
        longest,
        longest,
        1,
        rail,
        (short) 0);
  }

  @Test
  void dev10AndDev11WhatVersion9And12Add() {
    VirtualDevice itself = VirtualDevice.physical(0);
    found(withProperties(with(itself, 1L << 40, (short) 0)));
    found(withProperties(with(VirtualDevice.physical(1), 1, (short) 0)), "NET-DEV-10");
    VirtualDevice nine = new VirtualDevice(IntStream.range(0, 9).boxed().toList());
    found(withProperties(with(nine, 1, (short) 0)), "NET-DEV-10");
    found(withProperties(with(itself, 0, (short) 0)), "NET-DEV-11");
    found(withProperties(with(itself, (1L << 40) + 1, (short) 0)), "NET-DEV-11");
    found(withProperties(with(itself, 1, (short) -2)), "NET-DEV-11");
  }

  @Test
  void init09OneContextForAll() {
    NetContext one = new NetContext() {};
    ValidatingNet net =
        watch(
            new RightNet() {
              @Override
              public NetContext init(
                  long commId,
                  NetCommConfig config,
                  DebugLogger logger,
                  @Nullable NetProfiler profiler) {
                return one;
              }
            });
    found(net);
    ValidatedPair.init(net, log);
    found(net, "NET-INIT-09");
  }

  @Test
  void init08RefusesToFinalize() {
    ValidatingNet net =
        watch(
            new RightNet() {
              @Override
              public void finalizeContext(NetContext own) {
                throw refusal("context");
              }
            });
    ValidatedPair.whateverHappens(() -> net.finalizeContext(context));
    found(net, "NET-INIT-08");
  }

  @Test
  void opt01SaysOneThingAndThenAnother() {
    ValidatingNet net =
        watch(
            new RightNet() {
              private boolean last;

              @Override
              public boolean supports(OptionalOperation operation) {
                last = !last;
                return last;
              }
            });
    net.supports(OptionalOperation.GET_DEVICE_MR);
    found(net);
    net.supports(OptionalOperation.GET_DEVICE_MR);
    found(net, "NET-OPT-01");
  }

  @Test
  void opt04ADeviceHandleThatNobodyAskedFor() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public @Nullable RecvComm accept(
                  ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
                deviceHandle[0] = new DeviceHandle(NetDeviceType.UNPACK, 7, 1, 1, false);
                return super.accept(listenComm, deviceHandle);
              }
            })) {
      pair.found(Party.PLUGIN, "NET-OPT-04");
    }
  }

  @Test
  void vdev01TheNewDeviceHasAnotherNumber() {
    ValidatingNet net =
        watch(
            new RightNet() {
              @Override
              public boolean supports(OptionalOperation operation) {
                return operation == OptionalOperation.MAKE_VDEVICE;
              }

              @Override
              public int makeVDevice(VirtualDevice devices) {
                return 7;
              }
            });
    net.makeVDevice(new VirtualDevice(List.of(0, 1)));
    found(net, "NET-VDEV-01");
  }

  @Test
  void conn01NoListenerAndAnEmptyHandle() {
    ValidatingNet nothing =
        watch(
            new RightNet() {
              @Override
              @SuppressWarnings("NullAway")
              public ListenComm listen(NetContext context, int device, MemorySegment handle) {
                handle.fill((byte) 1);
                return null;
              }
            });
    NetContext first = context;
    ValidatingNet empty =
        watch(
            new RightNet() {
              @Override
              public ListenComm listen(NetContext context, int device, MemorySegment handle) {
                return new ListenComm() {};
              }
            });
    try (Arena arena = Arena.ofConfined()) {
      assertThat(nothing.listen(first, 0, arena.allocate(128, 8))).isNull();
      empty.listen(context, 0, arena.allocate(128, 8));
    }
    found(nothing, "NET-CONN-01");
    found(empty, "NET-CONN-01");
  }

  private static void overflow(MemorySegment handle) {
    MemorySegment.ofAddress(handle.address())
        .reinterpret(Net.HANDLE_MAXSIZE + 8)
        .set(ValueLayout.JAVA_BYTE, Net.HANDLE_MAXSIZE + 3, (byte) 1);
  }

  @Test
  void conn03ListenWritesBeyondTheHandle() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public ListenComm listen(NetContext context, int device, MemorySegment handle) {
                overflow(handle);
                return super.listen(context, device, handle);
              }
            })) {
      pair.found(Party.PLUGIN, "NET-CONN-03");
    }
  }

  @Test
  void conn03ConnectWritesBeyondTheHandle() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public @Nullable SendComm connect(
                  NetContext context,
                  int device,
                  MemorySegment handle,
                  @Nullable DeviceHandle[] deviceHandle) {
                if (handle.byteSize() > Net.HANDLE_MAXSIZE) {
                  overflow(handle);
                }
                return super.connect(context, device, handle, deviceHandle);
              }
            })) {
      MemorySegment wide = pair.arena.allocate(256, 8);
      pair.net.listen(pair.context, 0, wide);
      pair.found(Party.PLUGIN);
      pair.net.connect(pair.context, 0, wide, new DeviceHandle[1]);
      pair.found(Party.PLUGIN, "NET-CONN-03");
    }
  }

  @Test
  void v401MoreThan64BytesOfAHandle() {
    RightNet plugin =
        new RightNet() {
          @Override
          public ListenComm listen(NetContext context, int device, MemorySegment handle) {
            handle.set(ValueLayout.JAVA_BYTE, 64, (byte) 1);
            return super.listen(context, device, handle);
          }
        };
    ValidatingNet net = ValidatingNet.started(plugin, 4, ValidationMode.REPORT, log);
    context = ValidatedPair.init(net, log);
    try (Arena arena = Arena.ofConfined()) {
      net.listen(context, 0, arena.allocate(128, 8));
    }
    found(net, "NET-V4-01");
  }

  @Test
  void conn10AcceptReturnsOneCommTwice() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              private @Nullable RecvComm first;

              @Override
              public @Nullable RecvComm accept(
                  ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
                first = first == null ? super.accept(listenComm, deviceHandle) : first;
                return first;
              }
            })) {
      pair.net.accept(pair.listener, new DeviceHandle[1]);
      pair.found(Party.PLUGIN, "NET-CONN-10");
    }
  }

  @Test
  void conn06ConnectReturnsOneCommTwice() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              private @Nullable SendComm first;

              @Override
              public @Nullable SendComm connect(
                  NetContext context,
                  int device,
                  MemorySegment handle,
                  @Nullable DeviceHandle[] deviceHandle) {
                first =
                    first == null ? super.connect(context, device, handle, deviceHandle) : first;
                return first;
              }
            })) {
      MemorySegment handle = pair.handle();
      handle.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
      pair.net.connect(pair.context, 0, handle, new DeviceHandle[1]);
      pair.found(Party.PLUGIN, "NET-CONN-06");
    }
  }

  @Test
  void callsThatTakeTooLongAreSaidOnceAndAreNoViolation() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public @Nullable RecvComm accept(
                  ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(120);
                while (System.nanoTime() < end) {
                  LockSupport.parkNanos(end - System.nanoTime());
                }
                return super.accept(listenComm, deviceHandle);
              }
            })) {
      pair.net.accept(pair.listener, new DeviceHandle[1]);
      pair.net.accept(pair.listener, new DeviceHandle[1]);
      pair.found(Party.PLUGIN);
      assertThat(pair.net.violations().slowCalls()).containsKey("accept");
      assertThat(pair.log.lines())
          .filteredOn(line -> line.startsWith("WARN NITINOL_VALIDATE: NET-CONN-08: accept on "))
          .hasSize(1);
    }
  }

  @Test
  void reg02Reg03Reg13WhatMustBeRefusedIsTaken() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public MemoryHandle regMr(Comm comm, Memory memory) {
                return new MemoryHandle() {};
              }

              @Override
              public @Nullable Request irecv(
                  RecvComm comm,
                  int n,
                  MemoryHandle[] mrs,
                  long[] offsets,
                  long[] lengths,
                  int[] tags,
                  long @Nullable [] profilerHandles,
                  int hints) {
                return null;
              }
            })) {
      pair.net.regMr(pair.send, Memory.ofDevice(1L << 40, 1L << 32, PointerType.CUDA));
      assertThat(pair.net.violations().counts(Party.PLUGIN)).containsOnlyKeys("NET-REG-03");
      pair.net.regMr(pair.send, Memory.ofDevice(1L << 40, 1L << 20, PointerType.CUDA));
      MemoryHandle readOnly = pair.net.regMr(pair.receive, Memory.ofHost(pair.target.asReadOnly()));
      pair.net.irecv(
          pair.receive,
          1,
          new MemoryHandle[] {readOnly},
          new long[1],
          new long[] {1},
          new int[1],
          null,
          0);
      assertThat(pair.net.violations().counts(Party.PLUGIN))
          .containsOnlyKeys("NET-REG-02", "NET-REG-03", "NET-REG-13");
    }
  }

  @Test
  void reg04OneHandleForTwoRegistrations() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              private @Nullable MemoryHandle first;

              @Override
              public MemoryHandle regMr(Comm comm, Memory memory) {
                first =
                    first == null || !(comm instanceof SendComm)
                        ? super.regMr(comm, memory)
                        : first;
                return first;
              }
            })) {
      pair.found(Party.PLUGIN);
      pair.net.regMr(pair.receive, Memory.ofHost(pair.target));
      pair.found(Party.PLUGIN);
      MemoryHandle again = pair.net.regMr(pair.send, Memory.ofHost(pair.source));
      assertThat(again).isNotNull();
      pair.net.regMr(pair.send, Memory.ofHost(pair.source));
      pair.found(Party.PLUGIN, "NET-REG-04");
    }
  }

  @Test
  void reg09DeregistrationInFlightFails() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public void deregMr(Comm comm, MemoryHandle handle) {
                throw new NetException(ResultCode.SYSTEM_ERROR, "busy");
              }
            })) {
      pair.isend(0, 16);
      assertThatThrownBy(() -> pair.net.deregMr(pair.send, pair.sourceMr)).hasMessage("busy");
      pair.found(Party.PLUGIN, "NET-REG-09");
    }
  }

  @Test
  void reg11DmaBufWithoutDeclaringIt() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
                return regMr(comm, memory);
              }
            })) {
      pair.net.regMrDmaBuf(pair.send, Memory.ofHost(pair.source), 0, 1);
      assertThat(pair.net.violations().counts(Party.PLUGIN)).containsOnlyKeys("NET-REG-11");
    }
  }

  @Test
  void send05OutOfBoundsIsTaken() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public @Nullable Request isend(
                  SendComm comm,
                  MemoryHandle mr,
                  long offset,
                  long length,
                  int tag,
                  long profilerHandle) {
                return null;
              }
            })) {
      assertThat(pair.net.isend(pair.send, pair.sourceMr, 4096, 1, 0, 0)).isNull();
      assertThat(pair.net.violations().counts(Party.PLUGIN)).containsOnlyKeys("NET-SEND-05");
    }
  }

  @Test
  void flush02ARequestForHostMemory() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public Request iflush(
                  RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
                return new Request() {};
              }
            })) {
      pair.net.iflush(
          pair.receive, 1, new MemoryHandle[] {pair.targetMr}, new long[1], new long[] {16});
      pair.found(Party.PLUGIN, "NET-FLUSH-02");
    }
  }

  @Test
  void recv17ArraysAreReadAfterTheCall() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              private long @Nullable [] kept;

              @Override
              public @Nullable Request irecv(
                  RecvComm comm,
                  int n,
                  MemoryHandle[] mrs,
                  long[] offsets,
                  long[] lengths,
                  int[] tags,
                  long @Nullable [] profilerHandles,
                  int hints) {
                kept = offsets;
                return super.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
              }

              @Override
              public boolean test(Request request, int @Nullable [] sizes) {
                if (kept != null && kept[0] < 0) {
                  throw new IndexOutOfBoundsException((int) kept[0]);
                }
                return super.test(request, sizes);
              }
            })) {
      Request request = pair.irecv(0, 16);
      assertThatThrownBy(() -> pair.net.test(request, null))
          .isInstanceOf(IndexOutOfBoundsException.class);
      pair.found(Party.PLUGIN, "NET-ERR-01");
    }
  }

  @Test
  void close06AnOpenCommIsNotClosed() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public void closeSend(SendComm comm) {
                throw refusal("not mine");
              }
            })) {
      assertThatThrownBy(() -> pair.net.closeSend(pair.send)).hasMessage("not mine");
      pair.found(Party.PLUGIN, "NET-CLOSE-06");
    }
  }

  @Test
  void err01AndErr04WrongThrowables() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              private int calls;

              @Override
              public @Nullable Request isend(
                  SendComm comm,
                  MemoryHandle mr,
                  long offset,
                  long length,
                  int tag,
                  long profilerHandle) {
                switch (calls++) {
                  case 0 -> throw new IllegalStateException("first");
                  case 1 -> throw new AssertionError("second");
                  default -> throw new NetException(ResultCode.IN_PROGRESS, "third");
                }
              }
            })) {
      assertThatThrownBy(() -> pair.isend(0, 1)).isExactlyInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> pair.isend(0, 1)).isExactlyInstanceOf(AssertionError.class);
      assertThatThrownBy(() -> pair.isend(0, 1)).isExactlyInstanceOf(NetException.class);
      pair.found(Party.PLUGIN, "NET-ERR-01", "NET-ERR-04");
      assertThat(pair.counts()).containsEntry("NET-ERR-01", 2L);
    }
  }
}
