// SPDX-License-Identifier: Apache-2.0
/** The nitinol command. */
module io.nitinol.cli {
  requires info.picocli;
  requires io.nitinol.core;
  requires tools.jackson.databind;
  requires static org.jspecify;
}
