// SPDX-License-Identifier: Apache-2.0
/** NCCL's own plugin ABI: native plugins in Java, and Java plugins in NCCL. */
module io.nitinol.net.nativeabi {
  requires io.nitinol.core;
  requires io.nitinol.spi;
  requires io.nitinol.toolkit;
  requires static org.jspecify;

  provides io.nitinol.core.plugin.LibraryFinder with
      io.nitinol.net.nativeabi.library.NativeLibraries;
  provides io.nitinol.spi.config.VariableCatalog with
      io.nitinol.net.nativeabi.export.NativeVariables;
}
