// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.nio.file.Path;

/**
 * What QEMU boots.
 *
 * @param kernel the kernel
 * @param initramfs the first file system, with the modules and the program that loads them
 */
record GuestImage(Path kernel, Path initramfs) {
  static final String KERNEL = "kernel";
  static final String INITRAMFS = "initramfs.gz";

  /** The image whose files lie in {@code directory}. */
  static GuestImage in(Path directory) {
    return new GuestImage(directory.resolve(KERNEL), directory.resolve(INITRAMFS));
  }
}
