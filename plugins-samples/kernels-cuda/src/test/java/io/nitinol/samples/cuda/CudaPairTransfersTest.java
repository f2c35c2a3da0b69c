// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What can be wrong with transfers is found without a device, before anything is launched. */
class CudaPairTransfersTest {
  private static final int RANK = 1;
  private static final int RANKS = 3;

  private static CudaPairTransfers transfers() {
    CudaTeamLayout layout = new CudaTeamLayout(RANKS, new TeamSizes(48, 8192, 8192, 4096, 32, 256));
    TeamPlace place = new TeamPlace(RANK, RANKS, layout, new long[RANKS], 0, 0);
    CudaContext context = new CudaContext(0, "no device");
    var device =
        (io.nitinol.spi.device.v1.Device)
            Proxy.newProxyInstance(
                CudaPairTransfersTest.class.getClassLoader(),
                new Class<?>[] {io.nitinol.spi.device.v1.Device.class},
                (proxy, method, arguments) -> null);
    // Sixteen ranks on one device: their pairs get no streams.
    PairStreams none =
        PairStreams.open(device, context, new PairStreams.Budget(), RANK, RANKS, 4, 16);
    KernelModules modules = new KernelModules((family, type) -> new MemorySegment[0]);
    PeerReach reach =
        new PeerReach(0, Arrays.asList(null, null, null), () -> new CudaWindow[0], Arena.ofAuto());
    return new CudaPairTransfers(context, modules, place, 4, reach, none, false, Arena.ofAuto());
  }

  private static TeamTransfer send(int peer, long size) {
    return new TeamTransfer(Direction.SEND, peer, 4096, size);
  }

  private static TeamTransfer receive(int peer, long size) {
    return new TeamTransfer(Direction.RECEIVE, peer, 4096, size);
  }

  private static void isRefused(TeamTransfer... list) {
    assertThatThrownBy(() -> transfers().sort(List.of(list)))
        .asInstanceOf(InstanceOfAssertFactories.type(DeviceException.class))
        .extracting(DeviceException::failure)
        .isEqualTo(DeviceFailure.INVALID_ARGUMENT);
  }

  @Test
  void wrongTransfersAreRefused() {
    isRefused(send(RANKS, 1));
    isRefused(send(RANK, 1));
    isRefused(send(RANK, 1), receive(RANK, 2));
    isRefused(send(RANK, 1), send(RANK, 2), receive(RANK, 2), receive(RANK, 1));
    isRefused(send(0, Long.MAX_VALUE), send(0, 1));
    isRefused(receive(2, 1), receive(2, Long.MAX_VALUE));
  }

  @Test
  void rightTransfersAreTaken() {
    assertThatCode(() ->
            transfers()
                .sort(
                    List.of(
                        send(0, Long.MAX_VALUE),
                        receive(0, Long.MAX_VALUE),
                        send(2, 0),
                        send(RANK, 5),
                        receive(RANK, 5))))
        .doesNotThrowAnyException();
  }
}
