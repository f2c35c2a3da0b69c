// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch;

/** Says on standard output what the JVM that runs it is like. */
public final class LaunchedMain {
  private LaunchedMain() {}

  public static void main(String[] args) {
    System.out.println(
        String.join(" ", args)
            + " module="
            + LaunchedMain.class.getModule().getName()
            + " heap="
            + (Runtime.getRuntime().maxMemory() >> 20)
            + " native="
            + LaunchedMain.class.getModule().isNativeAccessEnabled());
  }
}
