// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.List;

/** The variables of {@code libnccl-net-nitinol.so}, most of which its C part reads. */
public final class NativeVariables implements VariableCatalog {

  /** The network to export. */
  public static final Variable<String> NET =
      Variable.text(
          "NITINOL_NET",
          "the name of a network, in any case",
          "",
          "In libnccl-net-nitinol.so: give NCCL this network; unset gives it the first that"
              + " works.");

  /** The run time to start. */
  public static final Variable<String> JAVA_HOME =
      Variable.text(
          "NITINOL_JAVA_HOME",
          "a directory",
          "",
          "In libnccl-net-nitinol.so: start the JVM in this directory and no other; unset looks in"
              + " the distribution that the library is in, JAVA_HOME, PATH, /usr/lib/jvm and /opt"
              + " for Java 25 or newer.");

  /** Options of the JVM. */
  public static final Variable<String> JVM_OPTIONS =
      Variable.text(
          "NITINOL_JVM_OPTIONS",
          "options of java, with blanks between them",
          "",
          "In libnccl-net-nitinol.so: options of the JVM beside its own, such as -Xmx512m.");

  /** Where the modules are. */
  public static final Variable<String> MODULE_PATH =
      Variable.text(
          "NITINOL_MODULE_PATH",
          "directory or jar[:directory or jar...]",
          "",
          "In libnccl-net-nitinol.so: the module path; unset takes the modules that the library was"
              + " built or shipped with.");

  /** Creates the catalog, for ServiceLoader. */
  public NativeVariables() {}

  @Override
  public String owner() {
    return "net-native";
  }

  @Override
  public List<Variable<?>> variables() {
    return List.of(NET, JAVA_HOME, JVM_OPTIONS, MODULE_PATH);
  }
}
