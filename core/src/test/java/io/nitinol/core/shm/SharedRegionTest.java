// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.core.log.Log;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Regions, the files they are in, and files that only look like them. */
class SharedRegionTest {
  /** So large that it does not share a slab with others. */
  private static final long LARGE = 2L << 20;

  private static final long SIZE = SharedRegion.HEADER + 10_000;

  @TempDir private Path temp;
  private ShmDirectory directory;

  @BeforeEach
  void chooseDirectory() {
    directory = new ShmDirectory(temp, Log.process());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.toList();
    }
  }

  @Test
  void fileHasItsNameOnlyUntilAllHaveArrived() throws IOException {
    SharedRegion first = SharedRegion.createFile(directory, SIZE, 3);
    first.allocate(SharedRegion.HEADER, SIZE - SharedRegion.HEADER);
    Path file = files().getFirst();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Files.size(file)).isEqualTo(SIZE);
    assertThat(file.getFileName().toString()).doesNotContain(Long.toHexString(token(first)));
    RegionHandle handle = RegionHandle.of(first.handle().toBytes());
    assertThat(handle).isEqualTo(first.handle());
    assertThat(first.handle().toBytes().length).isLessThan(RegionHandle.MAX_BYTES);
    SharedRegion second = SharedRegion.open(directory, handle, 3);
    SharedRegion third = SharedRegion.open(directory, handle, 3);
    first.arrive();
    second.arrive();
    assertThat(first.completeIfArrived()).isFalse();
    assertThat(files()).hasSize(1);
    third.arrive();
    assertThat(files()).isEmpty();
    assertThat(first.completeIfArrived()).isTrue();
    assertThat(second.completeIfArrived()).isTrue();
    second.memory().set(ValueLayout.JAVA_LONG, SIZE - 8, 77);
    first.close();
    second.close();
    assertThat(third.memory().get(ValueLayout.JAVA_LONG, SIZE - 8)).isEqualTo(77);
    third.close();
    third.close();
  }

  private static long token(SharedRegion region) {
    return region.handle().high();
  }

  @Test
  void regionLargerThanTwoGibibytesIsMapped() {
    long size = (3L << 30) + SharedRegion.HEADER;
    SharedRegion region = SharedRegion.createFile(directory, size, 1);
    region.allocate(size - 8, 8); // the rest is a hole
    region.memory().set(ValueLayout.JAVA_LONG, size - 8, 5);
    assertThat(region.memory().byteSize()).isEqualTo(size);
    region.close();
  }

  @Test
  void localMemoryLivesAsLongAsItsLastView() {
    Object attachment = new Object();
    SharedRegion first = SharedRegion.createLocal(LARGE, 2, attachment);
    SharedRegion second = SharedRegion.open(directory, first.handle(), 2);
    assertThat(second.attachment()).isSameAs(attachment);
    first.arrive();
    assertThat(second.completeIfArrived()).isFalse();
    second.arrive();
    assertThat(first.completeIfArrived()).isTrue();
    first.memory().set(ValueLayout.JAVA_LONG, 8192, 9);
    first.close();
    first.close();
    assertThat(second.memory().get(ValueLayout.JAVA_LONG, 8192)).isEqualTo(9);
    second.close();
    assertThat(second.memory().scope().isAlive()).isFalse();
    assertThatThrownBy(() -> SharedRegion.open(directory, first.handle(), 2))
        .isInstanceOf(NetException.class);
  }

  @Test
  void eachUserLeavesAMark() {
    try (SharedRegion region = SharedRegion.createLocal(SIZE, 200, null)) {
      region.arrive(199);
      region.arrive(64);
      for (int user = 0; user < 200; user++) {
        assertThat(region.hasArrived(user)).isEqualTo(user == 199 || user == 64);
      }
      assertThat(region.completeIfArrived()).isFalse();
    }
  }

  @Test
  void localMemoryThatIsTakenBackIsFreedByWhoeverHasItLast() {
    SharedRegion first = SharedRegion.createLocal(LARGE, 3, null);
    SharedRegion second = SharedRegion.open(directory, first.handle(), 3);
    first.close();
    assertThatThrownBy(() -> SharedRegion.open(directory, first.handle(), 3))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("given up");
    assertThat(second.memory().scope().isAlive()).isTrue();
    second.close();
    assertThat(second.memory().scope().isAlive()).isFalse();
  }

  @Test
  void manySmallRegionsAreApartAndFreedTogether() {
    List<SharedRegion> regions = new ArrayList<>();
    for (int i = 0; i < 1000; i++) { // several slabs
      SharedRegion region = SharedRegion.createLocal(SIZE, 1, null);
      assertThat(region.memory().byteSize()).isEqualTo(SIZE);
      assertThat(region.memory().address() % 4096).isZero();
      assertThat(region.memory().mismatch(MemorySegment.ofArray(new byte[(int) SIZE])))
          .isEqualTo(-1);
      region.memory().fill((byte) i);
      regions.add(region);
    }
    List<MemorySegment> memory = regions.stream().map(SharedRegion::memory).toList();
    for (int i = 0; i < 1000; i++) {
      assertThat(memory.get(i).get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) i);
      assertThat(memory.get(i).get(ValueLayout.JAVA_BYTE, SIZE - 1)).isEqualTo((byte) i);
    }
    regions.forEach(SharedRegion::close);
    assertThat(memory).noneMatch(each -> each.scope().isAlive());
  }

  @Test
  void strangersFileOfTheNameIsLeftAlone() throws IOException {
    AtomicLong number = new AtomicLong(1);
    Path taken = temp.resolve(ShmDirectory.newName(1));
    Path link = temp.resolve(ShmDirectory.newName(2));
    Path aim = temp.resolve("aim");
    Files.writeString(taken, "a stranger's");
    Files.createSymbolicLink(link, aim);
    SharedRegion region = FileRegion.create(directory, SIZE, 1, number::getAndIncrement, 11, 12);
    assertThat(region.handle().file()).isEqualTo(ShmDirectory.newName(3));
    assertThat(taken).hasContent("a stranger's");
    assertThat(Files.exists(aim, LinkOption.NOFOLLOW_LINKS)).isFalse();
    region.close();
    assertThat(taken).exists();
    assertThatThrownBy(() -> FileRegion.create(directory, SIZE, 1, () -> 1, 11, 12))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("there is a file of that name already");
    assertThat(taken).hasContent("a stranger's");
  }

  @Test
  void aLookForLeftoversEndsHoweverManyNamesThereAre() throws IOException {
    for (int i = 0; i < ShmDirectory.MOST_NAMES; i++) {
      Files.createFile(temp.resolve("nitinol-" + i));
    }
    RecordedLog log = new RecordedLog();
    new ShmDirectory(temp, log).sweep();
    assertThat(log.lines()).isEmpty();
    Files.createFile(temp.resolve("nitinol-one-more"));
    new ShmDirectory(temp, log).sweep();
    assertThat(log.lines()).singleElement().asString().contains("4096 names", "only");
  }

  @Test
  void onlyTheFileThatWasOfferedIsOpened() throws IOException {
    SharedRegion region = SharedRegion.createFile(directory, SIZE, 2);
    RegionHandle offered = region.handle();
    Path file = temp.resolve(offered.file());
    RegionHandle guessed =
        new RegionHandle(SIZE, offered.high(), offered.low() + 1, offered.file());
    refuses(guessed, "another file");
    refuses(
        new RegionHandle(SIZE + 1, offered.high(), offered.low(), offered.file()),
        "expected 14097");

    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    refuses(offered, "rw-r-----");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

    Path moved = Files.move(file, temp.resolve("moved"));
    // Withdrawn, by a rank that failed.
    refuses(offered, ResultCode.REMOTE_ERROR, "it is not there, so that rank has given up");
    Files.createSymbolicLink(file, moved); // even to the right one
    refuses(offered, "not a regular file");
    Files.delete(file);
    Files.createDirectory(file);
    refuses(offered, "not a regular file");
    Files.delete(file);
    Files.write(file, new byte[(int) SIZE]);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    refuses(offered, "another file");
    region.close();
  }

  @Test
  void fileOfAnotherUserIsNotOpened() throws IOException {
    SharedRegion region = SharedRegion.createFile(directory, SIZE, 2);
    try {
      Files.setAttribute(temp.resolve(region.handle().file()), "unix:uid", 12345);
    } catch (IOException e) {
      System.err.println("files of other users are not tried: only root can make them: " + e);
      assumeTrue(false, "only root can give files away: " + e);
    }
    refuses(region.handle(), "belongs to");
    region.close();
  }

  private void refuses(RegionHandle handle, String reason) {
    refuses(handle, ResultCode.SYSTEM_ERROR, reason);
  }

  private void refuses(RegionHandle handle, ResultCode result, String reason) {
    assertThatThrownBy(() -> SharedRegion.open(directory, handle, 2))
        .isInstanceOfSatisfying(NetException.class, e -> assertThat(e.result()).isEqualTo(result))
        .hasMessageContaining(reason)
        .hasMessageContaining("NCCL_SHM_DISABLE");
  }

  @Test
  void handlesThatAreNoneAreRefused() {
    byte[] good = new RegionHandle(1, 2, 3, ShmDirectory.newName(4)).toBytes();
    byte[] elsewhere = new RegionHandle(1, 2, 3, "../../etc/passwd").toBytes();
    byte[] shortened = Arrays.copyOf(good, good.length - 1);
    byte[] longer = Arrays.copyOf(good, 128); // as it travels
    assertThat(RegionHandle.of(longer)).isEqualTo(RegionHandle.of(good));
    for (byte[] bad : List.of(new byte[0], new byte[24], shortened, elsewhere)) {
      assertThatThrownBy(() -> RegionHandle.of(bad)).isInstanceOf(NetException.class);
    }
  }

  @Test
  void leftoversOfDeadProcessesAreSweptAndNothingElse() throws IOException {
    ProcessName self = Objects.requireNonNull(ProcessName.self());
    String tail = "-0123456789abcdef";
    Path again = leave("nitinol-" + self.pid() + "-" + (self.start() + 1) + "-" + self.space());
    Path dead = leave("nitinol-4194305-5-" + self.space()); // above the kernel's largest number
    Path alive = leave("nitinol-" + self);
    Path first = leave("nitinol-4194305-5-" + (self.space() + 1)); // cannot be told
    Path other = Files.writeString(temp.resolve("nitinol-4194305-5-7"), "not our name");
    Path directory2 =
        Files.createDirectory(temp.resolve("nitinol-4194305-6-" + self.space() + tail));
    Path link = temp.resolve("nitinol-4194305-7-" + self.space() + tail);
    Files.createSymbolicLink(link, other);
    SharedRegion.createFile(directory, SIZE, 1).close();
    assertThat(files()).containsExactlyInAnyOrder(alive, first, other, directory2, link);
    assertThat(List.of(again, dead)).noneMatch(Files::exists);
  }

  private Path leave(String start) throws IOException {
    return Files.writeString(temp.resolve(start + "-0123456789abcdef"), "left");
  }

  @Test
  void missingDirectoryIsAClearError() {
    ShmDirectory missing =
        ShmDirectory.of(
            Settings.of(Map.of("NITINOL_SHM_DIR", temp.resolve("none").toString())), Log.process());
    assertThat(missing.identity()).isZero();
    assertThatThrownBy(() -> SharedRegion.createFile(missing, SIZE, 2))
        .isInstanceOf(NetException.class)
        .hasMessageContaining("14096 bytes")
        .hasMessageContaining(temp.resolve("none").toString())
        .hasMessageContaining("NITINOL_SHM_DIR")
        .hasMessageContaining("NCCL_SHM_DISABLE");
  }
}
