// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.groups.Tuple.tuple;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.v12.Net;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The choice: SEL-03 and SEL-05 to SEL-09. */
class NetSelectionTest {
  /** Properties of version 12, but for the type of the device and the bits of memory. */
  private static final String PROPERTIES =
      "return new io.nitinol.spi.net.v12.NetProperties(\"gpu\" + a0, null, a0, %2$s, false, false,"
          + " 1, 1, 0f, 1, 1, %1$s, 0, io.nitinol.spi.net.VirtualDevice.physical(a0), 1L << 30,"
          + " 1L << 30, 1, (short) -1, (short) -1);";

  @TempDir Path directory;
  private Path plugins;
  private final RecordedLog log = new RecordedLog();
  private final Map<String, String> variables = new HashMap<>();
  private int jars;

  @BeforeEach
  void makeDirectory() throws IOException {
    plugins = Files.createDirectory(directory.resolve("plugins"));
    variables.put("NITINOL_PLUGIN_PATH", plugins.toString());
  }

  private Path jar(String file, PluginClass... classes) {
    PluginJar jar = new PluginJar(directory.resolve("work" + jars++));
    for (PluginClass plugin : classes) {
      jar.plugin(plugin);
    }
    return jar.write(plugins.resolve(file));
  }

  private Settings settings() {
    return Environment.of(variables);
  }

  private PluginCatalog catalog() {
    return PluginCatalog.discover(settings(), log);
  }

  private SelectedNet select() {
    return select(catalog(), null);
  }

  private SelectedNet select(PluginCatalog catalog, @Nullable String name) {
    return NetSelection.select(catalog, settings(), log, name);
  }

  private String failure() {
    PluginCatalog catalog = catalog();
    NetException e = catchThrowableOfType(NetException.class, () -> select(catalog, null));
    assertThat(e).as("selection should have failed").isNotNull();
    assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE);
    return e.getMessage();
  }

  @Test
  void theFirstThatWorks() {
    jar(
        "a.jar",
        PluginClass.net(6, "p.A", "A").init("throw new IllegalStateException(\"no card\");"));
    jar("b.jar", PluginClass.net(6, "p.B", "B").devices(0));
    Path taken = jar("c.jar", PluginClass.net(4, "p.C", "C").devices(2));
    jar("d.jar", PluginClass.net(6, "p.D", "D"));
    PluginCatalog catalog = catalog();
    SelectedNet selected = select(catalog, null);
    assertThat(selected.name()).isEqualTo("C");
    assertThat(selected.net().name()).isEqualTo("C");
    assertThat(selected.providedVersion()).isEqualTo(4);
    assertThat(selected.adapters()).startsWith("v4->v5", "v5->v6").endsWith("v11->v12");
    assertThat(selected.deviceCount()).isEqualTo(2);
    assertThat(selected.origin().location()).isEqualTo(taken.toString());
    assertThat(selected.collNet()).isNull();
    assertThat(selected.net().getProperties(1).name()).isEqualTo("eth1");
    assertThat(selected.net().getProperties(1).maxRecvs()).isEqualTo(1);
    List<PluginDescription> all = catalog.describe();
    assertThat(all)
        .extracting(PluginDescription::state)
        .containsExactly(
            PluginState.INIT_FAILED,
            PluginState.NO_DEVICES,
            PluginState.AVAILABLE,
            PluginState.FOUND);
    assertThat(all.get(0).reason()).isEqualTo("init failed: IllegalStateException: no card");
    assertThat(all.get(1).reason()).isEqualTo("init succeeded and devices() is 0");
    assertThat(all.get(2).devices()).hasSize(2);
    assertThat(log.lines())
        .anyMatch(l ->
            l.equals(
                "INFO NET/A: init failed: IllegalStateException: no card; not used by this"
                    + " process"))
        .anyMatch(l -> l.contains("NET/C: initialized, 2 devices: [0] eth0 10000 Mb/s [1] eth1"))
        .anyMatch(l ->
            l.matches(
                ".*Using network C \\(v4, adapted to v12, 2 devices\\) from (module c|c\\.jar)"));
    assertThat(log.lines())
        .as("the full path, once")
        .filteredOn(l -> l.contains(taken.toString()))
        .hasSize(1);
  }

  @Test
  void whatInitLoggedLastIsWhyThereAreNoDevices() {
    String info = "a0.info(io.nitinol.spi.LogSubsystem.INIT, \"here\", \"";
    jar(
        "a.jar",
        PluginClass.net(6, "p.A", "A")
            .init(info + "looking\"); " + info + "NET/A : no device: port 1 is DOWN\");")
            .body("devices", "return 0;"));
    jar(
        "b.jar",
        PluginClass.net(6, "p.B", "B")
            .init(
                "a0.warn(\"here\", \"no card\"); a0.log(io.nitinol.spi.LogLevel.TRACE, 1, \"here\","
                    + " 1, \"done\");")
            .body("devices", "return 0;"));
    jar("c.jar", PluginClass.net(6, "p.C", "C"));
    PluginCatalog catalog = catalog();
    select(catalog, null);
    assertThat(catalog.describe())
        .extracting(PluginDescription::reason)
        .containsExactly("port 1 is DOWN", "no card", null);
    assertThat(log.lines())
        .contains("INFO NET/A: no devices; not used by this process")
        .filteredOn(line -> line.contains("port 1 is DOWN"))
        .as("a reason is logged once, by the plugin")
        .containsExactly("INFO NET/A : no device: port 1 is DOWN");
  }

  @Test
  void everyWayToFailInitDisablesTheCandidate() {
    jar("a.jar", PluginClass.net(6, "p.A", "A").init("throw new NoClassDefFoundError(\"x/Y\");"));
    jar(
        "b.jar",
        PluginClass.net(6, "p.B", "B")
            .init(
                "throw new io.nitinol.spi.NetException(io.nitinol.spi.ResultCode.SYSTEM_ERROR,"
                    + " \"broken\");"));
    jar("c.jar", PluginClass.net(6, "p.C", "C").init("init(a0);"));
    jar(
        "d.jar",
        PluginClass.net(6, "p.D", "D")
            .body("devices", "throw new IllegalStateException(\"lost\");"));
    jar("e.jar", PluginClass.net(6, "p.E", "E").body("devices", "return -1;"));
    jar("f.jar", PluginClass.net(12, "p.F", "F").body("getProperties", "return null;"));
    jar(
        "g.jar",
        PluginClass.net(6, "p.G", "G")
            .body("getProperties", "throw new ArrayIndexOutOfBoundsException(7);"));
    jar("h.jar", PluginClass.net(6, "p.H", "H"));
    PluginCatalog catalog = catalog();
    assertThat(select(catalog, null).name()).isEqualTo("H");
    assertThat(catalog.describe())
        .extracting(d -> String.valueOf(d.reason()))
        .satisfiesExactly(
            r -> assertThat(r).contains("NoClassDefFoundError: x/Y"),
            r -> assertThat(r).isEqualTo("init failed: SYSTEM_ERROR: broken"),
            r -> assertThat(r).contains("init failed: java.lang.StackOverflowError"),
            r -> assertThat(r).isEqualTo("devices() failed: IllegalStateException: lost"),
            r -> assertThat(r).contains("devices() is -1"),
            r -> assertThat(r).isEqualTo("getProperties(0) returned null"),
            r -> assertThat(r).contains("getProperties(0) failed"),
            r -> assertThat(r).isEqualTo("null"));
  }

  /** Core moves host memory; a network that cannot is passed over and not found out later. */
  @Test
  void aNetworkForDeviceMemoryOnlyIsPassedOver() {
    String cuda =
        "return new io.nitinol.spi.net.v6.NetProperties(\"gpu\" + a0, null, a0, %s, 1, 1, 0f, 1,"
            + " 1);";
    jar(
        "a.jar",
        PluginClass.net(6, "p.A", "A").devices(2).body("getProperties", cuda.formatted("2")));
    jar(
        "b.jar",
        PluginClass.net(6, "p.B", "B")
            .devices(2)
            .body("getProperties", cuda.formatted("a0 == 0 ? 2 : 3")));
    PluginCatalog catalog = catalog();
    assertThat(select(catalog, null).name()).as("one of two devices is enough").isEqualTo("B");
    assertThat(catalog.describe().getFirst().state()).isEqualTo(PluginState.NO_DEVICES);
    assertThat(catalog.describe().getFirst().reason())
        .contains("no device takes host memory", "gpu0 has ptrSupport 2, gpu1 has ptrSupport 2");
    variables.put("NCCL_NET", "A");
    assertThat(failure()).contains("NCCL_NET=A", "no device takes host memory");
  }

  @Test
  void ncclNetIsComparedInAnyCaseAndBeforeInit() {
    jar("a.jar", PluginClass.net(6, "p.A", "Alpha").init("throw new IllegalStateException();"));
    jar("b.jar", PluginClass.net(6, "p.B", "My Net"));
    variables.put("NCCL_NET", "mY nET");
    PluginCatalog catalog = catalog();
    assertThat(select(catalog, null).name()).isEqualTo("My Net");
    assertThat(catalog.describe().getFirst().state())
        .as("not initialized")
        .isEqualTo(PluginState.FOUND);
  }

  @Test
  void theEnvironmentWinsOverTheConfigurationOfTheCommunicator() {
    jar("a.jar", PluginClass.net(6, "p.A", "Alpha"));
    jar("b.jar", PluginClass.net(6, "p.B", "Beta"));
    PluginCatalog catalog = catalog();
    assertThat(select(catalog, "beta").name()).isEqualTo("Beta");
    assertThat(select(catalog, null).name()).isEqualTo("Alpha");
    variables.put("NCCL_NET", "Alpha");
    assertThat(select(catalog, "beta").name()).isEqualTo("Alpha");
    variables.remove("NCCL_NET");
    NetException e = catchThrowableOfType(NetException.class, () -> select(catalog, "Gamma"));
    assertThat(e.getMessage()).contains("the communicator's configuration, which names Gamma,");
  }

  /** Who mistypes a variable of one network must not get another without a word. */
  @Test
  void aNetworkThatIsLeftOutForAMistakeInAVariableIsToldOnce() throws IOException {
    jar(
        "a.jar",
        PluginClass.net(6, "p.A", "Alpha")
            .init(
                "throw new io.nitinol.spi.NetException(io.nitinol.spi.ResultCode.INVALID_USAGE,"
                    + " \"ALPHA_CARD=:1: no name\");"));
    jar("b.jar", PluginClass.net(6, "p.B", "Beta"));
    PluginCatalog catalog = catalog();
    assertThat(select(catalog, null).name()).isEqualTo("Beta");
    assertThat(select(catalog, null).name()).isEqualTo("Beta");
    assertThat(log.lines().stream().filter(line -> line.startsWith("WARN")))
        .containsExactly(
            "WARN NET/Alpha: init failed: INVALID_USAGE: ALPHA_CARD=:1: no name; another network is"
                + " looked for");
  }

  @Test
  void aFailedSelectionNamesEverything() throws IOException {
    jar("a.jar", PluginClass.net(6, "p.A", "Socks"));
    jar(
        "b.jar",
        PluginClass.net(4, "p.B", "Beta").init("throw new IllegalStateException(\"no card\");"));
    Files.writeString(plugins.resolve("c.jar"), "broken");
    variables.put("NCCL_NET", "socsk");
    String message = failure();
    assertThat(message)
        .startsWith(
            "no network can be used: NCCL_NET=socsk (set in the environment) is the name of no"
                + " candidate; did you mean Socks?")
        .contains(
            "Socks (v6, adapted to v12) from ", "a.jar", "not the network that NCCL_NET=socsk")
        .contains("Beta (v4, adapted to v12) from ", "b.jar")
        .contains("c.jar: rejected: c.jar is not a readable jar");
  }

  @Test
  void aFailedSelectionSaysWhyTheWantedOneFailed() {
    jar(
        "a.jar",
        PluginClass.net(6, "p.A", "Alpha").init("throw new IllegalStateException(\"no card\");"));
    variables.put("NCCL_NET", "alpha");
    assertThat(failure())
        .startsWith(
            "no network can be used: NCCL_NET=alpha (set in the environment) cannot be used")
        .contains(
            "Alpha (v6, adapted to v12) from ", ": init failed: IllegalStateException: no card")
        .doesNotContain("init failed: init failed");
    variables.remove("NCCL_NET");
    assertThat(failure()).startsWith("no network can be used: none of the candidates works");
  }

  @Test
  void withoutAnyPluginTheMessageSaysWhereTheyAreLookedFor() {
    variables.clear();
    assertThat(failure())
        .contains(
            "none; plugins are looked for on the module path, the class path and in"
                + " NITINOL_PLUGIN_PATH")
        .endsWith(
            "\n  for TCP add the artifact io.nitinol:nitinol-net-socket, for InfiniBand and RoCE"
                + " io.nitinol:nitinol-net-ib, in the version of nitinol-core");
  }

  @Test
  void theListDecidesWhoIsACandidateAndInWhichOrder() throws IOException {
    jar("a.jar", PluginClass.net(6, "p.A", "Alpha"));
    Path beta = jar("b.jar", PluginClass.net(6, "p.B", "Beta"));
    jar("c.jar", PluginClass.net(6, "p.C", "Gamma"));
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Path delta =
        new PluginJar(directory.resolve("delta"))
            .plugin(PluginClass.net(6, "p.D", "Delta"))
            .write(outside.resolve("d.jar"));
    variables.put("NCCL_NET_PLUGIN", " gamma ,," + delta + "," + beta + ",libnccl-net-x.so,Gama");
    List<PluginDescription> all = catalog().describe();
    assertThat(all)
        .extracting(PluginDescription::name)
        .containsExactly("Gamma", "Delta", "Beta", "Alpha", "libnccl-net-x.so", "Gama");
    assertThat(all.get(3).state()).isEqualTo(PluginState.EXCLUDED);
    assertThat(all.get(3).reason())
        .contains("NCCL_NET_PLUGIN (set in the environment)", "does not name it");
    assertThat(all.get(4).reason()).contains("nothing here loads native plugins");
    assertThat(all.get(5).reason()).contains("names no plugin", "did you mean Gamma?");
    assertThat(select().name()).isEqualTo("Gamma");
    variables.put("NCCL_NET", "Alpha");
    assertThat(failure()).contains("excluded: NCCL_NET_PLUGIN");
  }

  @Test
  void theListKnowsDirectoriesAndModules() throws IOException {
    Path many = Files.createDirectory(directory.resolve("many"));
    new PluginJar(directory.resolve("e"))
        .module("net.epsilon")
        .plugin(PluginClass.net(6, "p.E", "Epsilon"))
        .write(many.resolve("e.jar"));
    variables.put("NCCL_NET_PLUGIN", many.toString());
    assertThat(select().origin().location()).isEqualTo(many.toString());
    jar("a.jar", PluginClass.net(6, "p.A", "Alpha"));
    jar("b.jar", PluginClass.net(6, "p.B", "Beta"));
    variables.put("NCCL_NET_PLUGIN", plugins.toString());
    assertThat(catalog().describe())
        .extracting(PluginDescription::name)
        .containsExactly("Alpha", "Beta");
    if (NetException.class.getModule().isNamed()) { // else nothing has a module
      variables.put("NITINOL_PLUGIN_PATH", many + ":" + plugins);
      variables.put("NCCL_NET_PLUGIN", "b,net.epsilon");
      assertThat(catalog().describe())
          .extracting(PluginDescription::name)
          .containsExactly("Beta", "Epsilon", "Alpha");
    }
  }

  @Test
  void anEntryThatIsKnownToBeBrokenIsNotReportedAsMissingToo() throws IOException {
    Path broken = Files.writeString(plugins.resolve("c.jar"), "broken");
    variables.put("NCCL_NET_PLUGIN", broken.toString());
    List<PluginDescription> all = catalog().describe();
    assertThat(all).hasSize(1);
    assertThat(all.getFirst().reason()).contains("not a readable jar");
  }

  @Test
  void aDuplicateThatTheListLeavesOutTakesNoName() {
    jar("a.jar", PluginClass.net(6, "p.A", "Same"));
    Path second = jar("b.jar", PluginClass.net(6, "q.B", "Same"));
    variables.put("NCCL_NET_PLUGIN", second.toString());
    assertThat(select().origin().location()).isEqualTo(second.toString());
  }

  @Test
  void collNetComesFromTheOriginOfTheNetwork() {
    jar(
        "a.jar",
        PluginClass.net(6, "p.A", "Alpha"),
        PluginClass.collNet(4, "p.AC", "Coll").devices(3));
    jar("b.jar", PluginClass.net(6, "p.B", "Beta"), PluginClass.collNet(6, "p.BC", "Coll"));
    jar("c.jar", PluginClass.net(6, "p.C", "Gamma"));
    PluginCatalog catalog = catalog();
    SelectedNet alpha = select(catalog, "Alpha");
    assertThat(alpha.collNet()).isNotNull();
    assertThat(alpha.collNet().devices()).isEqualTo(3);
    assertThat(select(catalog, "Beta").collNet().devices()).isEqualTo(1);
    assertThat(select(catalog, "Gamma").collNet()).isNull();
    assertThat(log.lines())
        .anyMatch(l -> l.contains("Using CollNet Coll (v4, adapted to v12, 3 devices)"));
  }

  @Test
  void devicesThatTheHostDoesNotDriveArePassedOver() {
    String offloading = PROPERTIES.formatted("io.nitinol.spi.net.NetDeviceType.UNPACK", "1 + a0");
    jar("a.jar", PluginClass.net(12, "p.A", "Alpha").body("getProperties", offloading));
    jar(
        "b.jar",
        PluginClass.net(12, "p.B", "Beta")
            .devices(2)
            .body(
                "getProperties",
                PROPERTIES.formatted(
                    "a0 == 0 ? io.nitinol.spi.net.NetDeviceType.UNPACK"
                        + " : io.nitinol.spi.net.NetDeviceType.HOST",
                    "1")));
    PluginCatalog catalog = catalog();
    assertThat(select(catalog, null).name()).isEqualTo("Beta");
    assertThat(catalog.describe().getFirst().reason())
        .contains("driven by the host", "gpu0 has netDeviceType UNPACK");
  }

  @Test
  void eachCommunicatorHasAContextOfItsOwn() {
    jar(
        "a.jar",
        PluginClass.net(12, "p.A", "Alpha")
            .init(
                "String p = \"p.A.open\";"
                    + " System.setProperty(p, System.getProperty(p, \"\") + \" \" + a0 + \"/\""
                    + " + a1.trafficClass());")
            .body(
                "finalizeContext",
                "System.setProperty(\"p.A.open\", System.getProperty(\"p.A.open\") + \" end\");"));
    System.clearProperty("p.A.open");
    try {
      SelectedNet selected = select(catalog(), null);
      assertThat(System.getProperty("p.A.open")).isEqualTo(" 0/-1");
      try (PluginSession<Net> one = selected.begin(7, NetCommConfig.DEFAULT);
          PluginSession<Net> two = selected.begin(8, new NetCommConfig(3))) {
        assertThat(one.context()).isNotSameAs(two.context());
        two.close();
      }
      assertThat(System.getProperty("p.A.open"))
          .as("each is finalized once, and that of the first look never")
          .isEqualTo(" 0/-1 7/-1 8/3 end end");
    } finally {
      System.clearProperty("p.A.open");
    }
  }

  @Test
  void callsAreCheckedOnlyWhereThatIsAskedFor() {
    jar("a.jar", PluginClass.net(12, "p.A", "Alpha"), PluginClass.collNet(12, "p.AC", "Coll"));
    PluginCatalog catalog = catalog();
    SelectedNet plain = select(catalog, null);
    // Not a decorator of any kind: the very object that the jar's class made.
    assertThat(plain.net().getClass().getName()).isEqualTo("p.A");
    assertThat(plain.collNet().getClass().getName()).isEqualTo("p.AC");
    variables.put("NITINOL_VALIDATE", "0");
    assertThat(select(catalog, null).net()).isSameAs(plain.net());
    assertThat(select(catalog, null).collNet()).isSameAs(plain.collNet());
  }

  @Test
  void checkedCallsWithoutTheValidatorAreRefusedBeforeAnythingBegins() {
    jar("a.jar", PluginClass.net(12, "p.A", "Alpha"));
    PluginCatalog catalog = catalog();
    for (String mode : List.of("1", "2")) {
      variables.put("NITINOL_VALIDATE", mode);
      NetException e = catchThrowableOfType(NetException.class, () -> select(catalog, null));
      assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(e)
          .hasMessageContaining("NITINOL_VALIDATE=" + mode + " ")
          .hasMessageContaining("io.nitinol:nitinol-validate");
    }
    assertThat(catalog.describe())
        .extracting(PluginDescription::state)
        .containsExactly(PluginState.FOUND);
  }

  @Test
  void anotherCollNetIsAskedForByName() {
    jar("a.jar", PluginClass.net(6, "p.A", "Alpha"), PluginClass.collNet(6, "p.AC", "Own"));
    jar("b.jar", PluginClass.collNet(6, "p.BC", "Switch").devices(2));
    variables.put("NITINOL_COLLNET", "sWITCH");
    assertThat(select().collNet().devices()).isEqualTo(2);
    variables.put("NITINOL_COLLNET", "Swich");
    assertThat(select().collNet()).isNull();
    assertThat(log.lines())
        .anyMatch(l ->
            l.contains("NITINOL_COLLNET=Swich (set in the environment) names no CollNet plugin")
                && l.contains("did you mean Switch?"));
    variables.put("NCCL_COLLNET_ENABLE", "1");
    assertThat(failure()).contains("NITINOL_COLLNET=Swich (set in the environment) names no");
    SelectionPreview preview = NetSelection.preview(catalog(), settings(), null);
    assertThat(preview.failure()).contains("did you mean Switch?");
  }

  @Test
  void aCollNetThatBelongsToNoNetworkIsTakenWhereOneIsWanted() {
    jar("a.jar", PluginClass.net(6, "p.A", "Alpha"));
    jar("b.jar", PluginClass.net(6, "p.B", "Beta"), PluginClass.collNet(6, "p.BC", "Bound"));
    jar("c.jar", PluginClass.collNet(6, "p.CC", "Switch"));
    variables.put("NCCL_NET", "Alpha");
    assertThat(select().collNet()).isNull();
    variables.put("NCCL_COLLNET_ENABLE", "1");
    assertThat(select().collNet().name()).isEqualTo("Switch");
    variables.put("NCCL_NET", "Beta");
    assertThat(select().collNet().name()).as("the network's own comes first").isEqualTo("Bound");
    variables.put("NCCL_NET", "Alpha");
    jar("d.jar", PluginClass.collNet(6, "p.DC", "Router"));
    assertThat(select().collNet()).isNull();
    assertThat(log.lines())
        .anyMatch(l -> l.contains("NITINOL_COLLNET has to name one: Switch, Router"));
  }

  @Test
  void aFailingCollNetCostsOnlyCollNet() {
    jar(
        "a.jar",
        PluginClass.net(6, "p.A", "Alpha"),
        PluginClass.collNet(6, "p.AC", "Own")
            .init("throw new IllegalStateException(\"no switch\");"));
    SelectedNet selected = select();
    assertThat(selected.name()).isEqualTo("Alpha");
    assertThat(selected.collNet()).isNull();
    assertThat(log.lines())
        .anyMatch(l ->
            l.contains("CollNet Own is not used: init failed: IllegalStateException: no switch"));
  }

  @Test
  void aPreviewProbesEverythingAndChoosesWhatSelectWould() {
    jar(
        "a.jar",
        PluginClass.net(6, "p.A", "Alpha").devices(0),
        PluginClass.collNet(6, "p.AC", "ACold"));
    jar("b.jar", PluginClass.net(6, "p.B", "Beta"), PluginClass.collNet(6, "p.BC", "BColl"));
    jar("c.jar", PluginClass.net(6, "p.C", "Gamma"));
    SelectionPreview preview = NetSelection.preview(catalog(), settings(), null);
    assertThat(preview.failure()).isNull();
    assertThat(preview.plugins())
        .extracting(PluginDescription::name, PluginDescription::state, PluginDescription::reason)
        .containsExactly(
            tuple("Alpha", PluginState.NO_DEVICES, "init succeeded and devices() is 0"),
            tuple("Beta", PluginState.CHOSEN, null),
            tuple("Gamma", PluginState.NOT_CHOSEN, "Beta comes first"),
            tuple(
                "ACold",
                PluginState.NOT_CHOSEN,
                "not from the origin of the network Beta; NITINOL_COLLNET asks for it by name"),
            tuple("BColl", PluginState.CHOSEN, null),
            tuple("scalar", PluginState.CHOSEN, null));
    variables.put("NCCL_NET", "Delta");
    SelectionPreview none = NetSelection.preview(catalog(), settings(), null);
    assertThat(none.failure()).contains("NCCL_NET=Delta").contains("is the name of no candidate");
    assertThat(none.plugins().get(1).reason()).contains("not the network that NCCL_NET=Delta");
  }

  /** Ranks of one process select at once: each plugin starts once, and all get the same one. */
  @Test
  void ranksThatSelectAtOnceShareOnePlugin() throws Exception {
    String count =
        "System.setProperty(\"%1$s\", String.valueOf(Integer.getInteger(\"%1$s\", 0) + 1));";
    String once = "nitinol.test.inits" + System.nanoTime();
    jar(
        "a.jar",
        PluginClass.net(6, "p.A", "Alpha")
            .init(
                // A window for the others: they must wait for the outcome, not see a half-made one.
                count.formatted(once)
                    + " for (int i = 0; i < 1000; i++) Thread.onSpinWait();"
                    + " throw new IllegalStateException(\"no card\");"));
    jar("b.jar", PluginClass.net(6, "p.B", "Beta").init(count.formatted(once + "b")));
    jar("c.jar", PluginClass.net(6, "p.C", "Gamma").init(count.formatted(once + "c")));
    PluginCatalog catalog = catalog();
    int ranks = 16;
    CyclicBarrier start = new CyclicBarrier(ranks);
    List<Future<SelectedNet>> selections = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(ranks)) {
      for (int rank = 0; rank < ranks; rank++) {
        String wanted = rank % 4 == 3 ? "Gamma" : null;
        selections.add(
            threads.submit(() -> {
              start.await();
              return select(catalog, wanted);
            }));
      }
    }
    for (int rank = 0; rank < ranks; rank++) {
      SelectedNet selected = selections.get(rank).get();
      assertThat(selected.name()).isEqualTo(rank % 4 == 3 ? "Gamma" : "Beta");
      assertThat(selected.net()).isSameAs(selections.get(rank % 4).get().net());
      assertThat(selected.deviceCount()).isEqualTo(1);
    }
    for (String plugin : new String[] {"", "b", "c"}) {
      assertThat(System.clearProperty(once + plugin)).as("inits of %s", plugin).isEqualTo("1");
    }
  }
}
