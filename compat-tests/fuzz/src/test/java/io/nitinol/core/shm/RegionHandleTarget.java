// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.spi.NetException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How another rank describes shared memory, and the names of its files. */
public final class RegionHandleTarget implements FuzzTarget {
  private static final Pattern NAME = Pattern.compile(ProcessName.PATTERN);

  @Override
  public void run(byte[] input) {
    Matcher name = NAME.matcher(new String(input, StandardCharsets.ISO_8859_1));
    if (name.matches()) {
      FuzzTarget.require(ProcessName.of(name, 1).pid() >= 0, "a negative number");
    }
    RegionHandle handle;
    try {
      handle = RegionHandle.of(input);
    } catch (NetException e) {
      return;
    }
    FuzzTarget.require(handle.file().indexOf('/') < 0, "a file in another directory");
    byte[] again = handle.toBytes();
    FuzzTarget.require(again.length <= RegionHandle.MAX_BYTES, "a handle of too many bytes");
    FuzzTarget.require(RegionHandle.of(again).equals(handle), "another handle");
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(RegionHandle.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        new RegionHandle(4096, 1, 2, "").toBytes(),
        new RegionHandle(4096, 1, 2, "nitinol-12-34-56-00000000deadbeef").toBytes(),
        "12-34-56".getBytes(StandardCharsets.ISO_8859_1));
  }
}
