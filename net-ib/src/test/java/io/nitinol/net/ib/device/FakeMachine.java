// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.testing.RecordingLog;
import io.nitinol.toolkit.file.KernelFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A machine with the cards and the sysfs that a test wants. */
final class FakeMachine implements CardSource {
  final List<FakeCard> cards = new ArrayList<>();
  final RecordingLog log = new RecordingLog();
  final Map<String, String> variables = new HashMap<>();
  @Nullable String absence;
  List<String> reasons = List.of();
  private final Path root;

  FakeMachine(Path root) throws IOException {
    this.root = root.toRealPath();
    Files.createDirectories(this.root.resolve("sys/class/infiniband"));
  }

  FakeCard add(FakeCard card) {
    cards.add(card);
    return card;
  }

  /** Returns where the kernel has the files of a card. */
  Path directory(String card) {
    return root.resolve("sys/class/infiniband").resolve(card);
  }

  /** Says where a card is, such as {@code 0000:3b:00.1}, below a bridge. */
  Path place(String card, String address) throws IOException {
    Path device = root.resolve("sys/devices/pci0000:3a/0000:3a:00.0").resolve(address);
    Files.createDirectories(device);
    Path link = directory(card).resolve("device");
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, device);
    return device;
  }

  /** Writes a file of a card's port. */
  void file(String card, int port, String name, String text) throws IOException {
    Path file = directory(card).resolve("ports/" + port + "/" + name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  /** Writes the type of an entry of a port's table of GIDs. */
  void type(String card, int port, int index, String text) throws IOException {
    file(card, port, "gid_attrs/types/" + index, text);
  }

  /** Makes a file of a kernel module. */
  void module(String file) throws IOException {
    Path path = root.resolve("sys/module").resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, "1\n");
  }

  FakeMachine set(String variable, String value) {
    variables.put(variable, value);
    return this;
  }

  IbOptions options() {
    return IbOptions.read(Settings.of(variables));
  }

  IbDeviceDiscovery.Result find() {
    IbDeviceDiscovery discovery =
        new IbDeviceDiscovery(this, new Sysfs(new KernelFiles(root)), options(), log);
    IbDeviceDiscovery.Result result = discovery.find(this);
    reasons = discovery.reasons();
    return result;
  }

  /** Returns the names of the devices. */
  List<String> names() {
    return find().devices().stream().map(IbDevice::name).toList();
  }

  /** Returns the one port of the one device. */
  IbPort port() {
    return find().devices().getFirst().ports().getFirst();
  }

  @Override
  public Listing list() {
    return new Listing() {
      @Override
      public List<Card> cards() {
        return List.copyOf(cards);
      }

      @Override
      public @Nullable String emptyReason() {
        return absence != null
            ? absence
            : cards.isEmpty() ? "the machine has no RDMA device" : null;
      }

      @Override
      public void close() {}
    };
  }
}
