// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.session.CollInstance;
import io.nitinol.tck.session.CommonNet;
import io.nitinol.tck.session.NetInstance;
import io.nitinol.tck.session.Session;
import io.nitinol.tck.solo.Errand;
import io.nitinol.tck.solo.ReadingSettings;
import io.nitinol.tck.solo.Solo;
import io.nitinol.tck.solo.SoloResult;
import io.nitinol.toolkit.ErrorText;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** How a provider is constructed, and its name. */
public final class ProviderRules {

  /**
   * Every provider must load: instead of one that does not, Nitinol silently uses an older version.
   */
  @Rule(value = "SEL-01", needs = Need.DIRECT)
  void everyProviderThatIsNamedLoads(Session session) {
    List<PluginDescription> rejected = session.plugin().rejected();
    if (!rejected.isEmpty()) {
      PluginDescription first = rejected.getFirst();
      String provider = first.providerClass() == null ? first.name() : first.providerClass();
      throw session.broken(
          ErrorText.of(
              "%s of the providers beside this version cannot be loaded, the first"
                  + " being %s: %s",
              rejected.size(), provider, first.reason()));
    }
  }

  private static final int LONGEST_NAME = 255;

  @Rule(value = "SEL-01", needs = Need.DIRECT, withoutDevices = true)
  void theProviderIsPublicWithAPublicConstructor(Session session) throws Throwable {
    if (session.plugin().isLibrary(session.lane())) {
      throw session.skip("a native library has a struct, and no class of its own");
    }
    Class<?> provider = session.plugin().create(session.lane()).getClass();
    session.check(
        Modifier.isPublic(provider.getModifiers()), "%s is not public", provider.getName());
    boolean constructible =
        Arrays.stream(provider.getConstructors())
            .anyMatch(constructor -> constructor.getParameterCount() == 0);
    session.check(
        constructible, "%s has no public constructor without parameters", provider.getName());
  }

  @Rule(value = "SEL-01", needs = Need.DIRECT, withoutDevices = true)
  void theConstructorRunsManyTimes(Session session) {
    for (int i = 0; i < 100; i++) {
      int number = i;
      Object made;
      try {
        made = session.plugin().create(session.lane());
      } catch (Throwable e) {
        throw session.broken("the constructor threw " + e + " on call " + number);
      }
      session.check(made != null, "call %d of the constructor made nothing", number);
    }
  }

  @Rule(
      value = "SEL-01",
      needs = {Need.DIRECT, Need.SOLO, Need.PROC},
      withoutDevices = true)
  void theConstructorStartsAndOpensNothing(Session session) {
    SoloResult seen = Solo.run(session, Errand.CONSTRUCT);
    session.check(
        seen.all("thread").isEmpty(),
        "before init, the constructor or the loading of classes has started threads: %s",
        seen.all("thread"));
    session.check(
        seen.all("descriptor").isEmpty(),
        "before init, the constructor or the loading of classes has opened %s",
        seen.all("descriptor"));
  }

  @Rule(
      value = "SET-08",
      needs = {Need.DIRECT, Need.SOLO},
      withoutDevices = true)
  void settingsAreNotReadBeforeInit(Session session) throws IOException {
    if (session.plugin().isFoundBySettings()) {
      throw session.skip(
          "the framework has to read the settings to find the plugin's parts, in several places");
    }
    Path file = Files.createTempFile("nitinol-tck", ".conf");
    try {
      Files.writeString(file, ReadingSettings.PROBE + "=" + ReadingSettings.EARLY + "\n");
      SoloResult seen =
          Solo.run(session, Errand.READ_SETTINGS, Map.of(ReadingSettings.FILE, file.toString()));
      session.check(
          seen.all("read").equals(List.of(ReadingSettings.LATER)),
          "the settings were read %s, expected not before init",
          seen.all("read"));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Rule(value = "SEL-02", withoutDevices = true)
  void theNameIsAName(Session session) {
    String name = session.step("NET-ERR-01", "name", session.common()::name);
    session.check(name != null, "name is null");
    session.check(!name.isBlank(), "name is blank: \"%s\"", name);
    session.check(
        name.length() <= LONGEST_NAME,
        "name has %d characters, more than %d",
        name.length(),
        LONGEST_NAME);
    session.check(
        name.chars().noneMatch(Character::isISOControl),
        "name has a control character: %s",
        escaped(name));
  }

  @Rule(value = "SEL-02", withoutDevices = true)
  void theNameStaysTheSameThroughInit(Session session) {
    CommonNet fresh = session.create();
    String before = session.step("NET-ERR-01", "name before init", fresh::name);
    session.run("NET-INIT-03", "init", () -> fresh.init(session.terms().log()));
    String after = session.step("NET-ERR-01", "name after init", fresh::name);
    session.check(
        before != null && before.equals(after),
        "name was \"%s\" before init and is \"%s\" after it",
        before,
        after);
    String first = session.step("NET-ERR-01", "name", session.common()::name);
    session.check(
        before.equals(first), "one instance is named \"%s\", another \"%s\"", first, before);
  }

  @Rule(value = "SEL-02", withoutDevices = true)
  void everyVersionHasTheSameName(Session session) {
    String own = session.step("NET-ERR-01", "name", session.common()::name);
    for (Lane lane : session.plugin().lanes()) {
      if (lane.kind() == session.lane().kind()) {
        String other = session.step("NET-ERR-01", "name", () -> nameOn(session, lane));
        session.check(own.equals(other), "the name is \"%s\", but \"%s\" on %s", own, other, lane);
      }
    }
  }

  private static String nameOn(Session session, Lane lane) {
    return lane.kind() == Kind.NET
        ? NetInstance.create(session.plugin(), lane).name()
        : CollInstance.create(session.plugin(), lane).name();
  }

  private static String escaped(String name) {
    StringBuilder text = new StringBuilder();
    name.chars()
        .forEach(c ->
            text.append(Character.isISOControl(c) ? String.format("\\u%04x", c) : "" + (char) c));
    return text.toString();
  }
}
