// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;

/**
 * A place that plugins come from: the application's own module and class path, one plugin unit, or
 * one native library.
 */
sealed interface PluginSource {

  /** Gives the scan everything this source has. */
  void feed(ProviderScan<?> scan);

  /** Returns the origin of a provider class that this source gave. */
  PluginOrigin originOf(Class<?> provider);

  /** Returns what is known of the origin where there is no class. */
  PluginOrigin place();

  /** The module layer and class path that core itself is on. */
  record Application() implements PluginSource {
    @Override
    public void feed(ProviderScan<?> scan) {
      Module core = PluginSource.class.getModule();
      ModuleLayer layer = core.getLayer();
      if (layer != null) {
        scan.scan(layer);
      }
      // Also with a layer: plugins on the class path of an application whose Nitinol is modular.
      scan.scan(PluginSource.class.getClassLoader());
    }

    @Override
    public PluginOrigin originOf(Class<?> provider) {
      String module = provider.getModule().getName();
      CodeSource source = provider.getProtectionDomain().getCodeSource();
      if (source != null && source.getLocation() != null) {
        return new PluginOrigin(true, module, readable(source.getLocation().toString()));
      }
      return new PluginOrigin(true, module, module == null ? "class path" : "module path");
    }

    @Override
    public PluginOrigin place() {
      return new PluginOrigin(true, null, "module path or class path");
    }

    private static String readable(String url) {
      if (!url.startsWith("file:")) {
        return url;
      }
      try {
        return Path.of(new URI(url)).toString();
      } catch (URISyntaxException | IllegalArgumentException e) {
        return url;
      }
    }
  }

  /** A native library. */
  record Library(FoundLibrary library) implements PluginSource {
    @Override
    public void feed(ProviderScan<?> scan) {
      scan.scan(library);
    }

    @Override
    public PluginOrigin originOf(Class<?> provider) {
      return place(); // the class is the loader's
    }

    @Override
    public PluginOrigin place() {
      return new PluginOrigin(false, null, library.location());
    }
  }

  /** One plugin from a jar or directory. */
  record Unit(PluginUnit unit) implements PluginSource {
    @Override
    public void feed(ProviderScan<?> scan) {
      scan.scan(unit.loader());
      if (!unit.isLayered()) {
        scan.scan(unit.loader(), unit.descriptors());
      }
    }

    @Override
    public PluginOrigin originOf(Class<?> provider) {
      return new PluginOrigin(false, provider.getModule().getName(), unit.location().toString());
    }

    @Override
    public PluginOrigin place() {
      String module = unit.descriptors().size() == 1 ? unit.descriptors().getFirst().name() : null;
      return new PluginOrigin(false, module, unit.location().toString());
    }
  }
}
