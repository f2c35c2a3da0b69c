// SPDX-License-Identifier: Apache-2.0
/** The validator: both sides of the contract of a network plugin, checked while a program runs. */
module io.nitinol.validate {
  requires transitive io.nitinol.core;
  requires transitive io.nitinol.spi;
  requires io.nitinol.toolkit;
  requires static org.jspecify;

  exports io.nitinol.validate;

  provides io.nitinol.core.plugin.NetDecorator with
      io.nitinol.validate.ValidatingDecorator;
}
