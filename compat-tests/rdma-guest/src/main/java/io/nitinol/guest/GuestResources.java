// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The scripts of this package. */
final class GuestResources {
  /** Makes the image. */
  static final String IMAGE = "image.sh";

  /** The guest's first program. */
  static final String INIT = "init.sh";

  /** Makes the RDMA devices. */
  static final String DEVICES = "devices.sh";

  /** Runs commands and keeps their output. */
  static final String STEPS = "steps.sh";

  private GuestResources() {}

  static String text(String name) throws IOException {
    try (InputStream in = GuestResources.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException(name + " beside " + GuestResources.class.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
