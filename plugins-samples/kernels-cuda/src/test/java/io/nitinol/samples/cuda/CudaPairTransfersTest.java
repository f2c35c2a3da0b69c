// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** What can be wrong with transfers is found without a device, before anything is launched. */
class CudaPairTransfersTest {
  private static final int RANK = 1;
  private static final int RANKS = 3;

  private static CudaPairTransfers transfers() {
    return transfers(RANKS, new TeamSizes(48, 8192, 8192, 4096, 32, 256), 4);
  }

  private static CudaPairTransfers transfers(int ranks, TeamSizes sizes, int blocks) {
    CudaTeamLayout layout = new CudaTeamLayout(ranks, sizes);
    TeamPlace place = new TeamPlace(RANK, ranks, layout, new long[ranks], 0, 0);
    CudaContext context = new CudaContext(0, "no device");
    var device =
        (io.nitinol.spi.device.v1.Device)
            Proxy.newProxyInstance(
                CudaPairTransfersTest.class.getClassLoader(),
                new Class<?>[] {io.nitinol.spi.device.v1.Device.class},
                (proxy, method, arguments) -> null);
    // Sixteen ranks on one device: their pairs get no streams.
    PairStreams none =
        PairStreams.open(device, context, new PairStreams.Budget(), RANK, ranks, blocks, 16);
    KernelModules modules = new KernelModules((family, type) -> new MemorySegment[0]);
    PeerReach reach =
        new PeerReach(
            0, Arrays.asList(new CudaDevice[ranks]), () -> new CudaWindow[0], Arena.ofAuto());
    return new CudaPairTransfers(
        context, modules, place, blocks, reach, none, false, Arena.ofAuto());
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

  /** Returns the leaders of all ranks, after a look at how many groups there are. */
  private static List<Integer> leaders(int ranks, int groups, TeamTransfer... list) {
    return leaders(ranks, 128, groups, list);
  }

  private static List<Integer> leaders(int ranks, int blocks, int groups, TeamTransfer... list) {
    CudaPairTransfers transfers = transfers(ranks, TeamSizes.DEFAULT, blocks);
    transfers.sort(List.of(list));
    assertThat(transfers.group()).as("launches").isEqualTo(groups);
    return IntStream.range(0, ranks).map(transfers::leader).boxed().toList();
  }

  @Test
  void pairsThatTakeAsManyBlocksShareALaunch() {
    // As in a ring: what goes to the next rank is as much as what the one before sends.
    assertThat(leaders(4, 1, send(2, 8), receive(0, 8))).containsExactly(0, -1, 0, -1);
    assertThat(leaders(4, 1, send(2, 1 << 24), receive(0, 1 << 24))).containsExactly(0, -1, 0, -1);
  }

  @Test
  void pairsOfOtherSizesHaveLaunchesOfTheirOwn() {
    long lines = 1024;
    assertThat(leaders(4, 2, send(2, lines), receive(0, 2 * lines))).containsExactly(0, -1, 2, -1);
    assertThat(leaders(4, 2, send(2, 8), receive(0, 1 << 24))).containsExactly(0, -1, 2, -1);
    assertThat(leaders(4, 2, send(2, 1 << 24), receive(0, 1 << 18))).containsExactly(0, -1, 2, -1);
    // Neighbours only: the order of launches stays that of the pairs.
    assertThat(leaders(4, 3, send(0, 8), send(2, 1 << 24), send(3, 8)))
        .containsExactly(0, -1, 2, 3);
  }

  @Test
  void aLaunchServesFourPairs() {
    TeamTransfer[] all =
        IntStream.range(0, 8)
            .filter(r -> r != RANK)
            .mapToObj(r -> send(r, 64))
            .toArray(TeamTransfer[]::new);
    assertThat(leaders(8, 2, all)).containsExactly(0, -1, 0, 0, 0, 5, 5, 5);
  }

  @Test
  void aPairOfMoreTransfersThanALaunchTakesIsAlone() {
    List<TeamTransfer> list = new ArrayList<>(Collections.nCopies(17, send(0, 1 << 20)));
    list.add(send(2, 17 << 20));
    assertThat(leaders(3, 2, list.toArray(TeamTransfer[]::new))).containsExactly(0, -1, 2);
  }

  @Test
  void aLaunchHasNoMoreBlocksThanTheTeam() {
    TeamTransfer[] all = {send(0, 8), send(2, 8), send(3, 8)};
    assertThat(leaders(4, 1, 3, all)).containsExactly(0, -1, 2, 3);
    assertThat(leaders(4, 2, 2, all)).containsExactly(0, -1, 0, 3);
    assertThat(leaders(4, 3, 1, all)).containsExactly(0, -1, 0, 0);
  }
}
