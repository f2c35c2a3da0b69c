// SPDX-License-Identifier: Apache-2.0
package io.nitinol.planted;

import io.nitinol.fuzz.FuzzTarget;
import java.util.List;

/** A parser with known defects, from no seeds. */
public final class PlantedTarget implements FuzzTarget {
  @Override
  public void run(byte[] input) {
    try {
      PlantedParser.parse(input);
    } catch (IllegalArgumentException e) {
      FuzzTarget.require(e.getMessage() != null, "no reason");
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(PlantedParser.class);
  }
}
