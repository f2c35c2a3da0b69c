// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.VirtualDevice;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each step says about a device where the older version does not: NET-V*-*. */
class PropertyStepsTest {
  private static final int DEVICE = 3;

  /** What the step to the version in which a property appears says. */
  private static final Map<String, Object> UNKNOWN = new HashMap<>();

  static {
    UNKNOWN.put("latency", 0f);
    UNKNOWN.put("maxRecvs", 1);
    UNKNOWN.put("netDeviceType", NetDeviceType.HOST);
    UNKNOWN.put("netDeviceVersion", 0);
    UNKNOWN.put("regIsGlobal", false);
    UNKNOWN.put("forceFlush", false);
    UNKNOWN.put("virtualDevice", VirtualDevice.physical(DEVICE));
    UNKNOWN.put("maxP2pBytes", 1L << 30);
    UNKNOWN.put("maxCollBytes", 512L << 20);
    UNKNOWN.put("maxMultiRequestSize", 1);
    UNKNOWN.put("railId", (short) -1);
    UNKNOWN.put("planeId", (short) -1);
  }

  static List<AdapterStep<?, ?>> steps() {
    return AdapterStep.ALL;
  }

  @ParameterizedTest
  @MethodSource("steps")
  void whatIsKnownStaysAndWhatIsNotGetsItsDefault(AdapterStep<?, ?> step) throws Exception {
    Object given = properties(step.from());
    Recorder recorder = new Recorder(given);
    Object shown =
        step.to().getMethod("getProperties", int.class).invoke(step.over(recorder), DEVICE);
    assertThat(recorder.calls.getFirst().arguments()).containsExactly(DEVICE);
    List<String> known =
        Arrays.stream(given.getClass().getRecordComponents())
            .map(RecordComponent::getName)
            .toList();
    List<String> added = new ArrayList<>();
    for (RecordComponent property : shown.getClass().getRecordComponents()) {
      Object value = property.getAccessor().invoke(shown);
      String name = property.getName();
      if (known.contains(name)) {
        assertThat(value).as(name).isEqualTo(given.getClass().getMethod(name).invoke(given));
      } else {
        assertThat(UNKNOWN).containsKey(name);
        assertThat(value).as(name).isEqualTo(UNKNOWN.get(name));
        added.add(name);
      }
    }
    assertThat(shown.getClass().getRecordComponents()).hasSize(known.size() + added.size());
  }

  @ParameterizedTest
  @MethodSource("steps")
  void aDeviceThatCannotBeIsRefusedOrPassedOn(AdapterStep<?, ?> step) throws Exception {
    Recorder recorder = new Recorder(properties(step.from()));
    Method getProperties = step.to().getMethod("getProperties", int.class);
    Object lifted = step.over(recorder);
    if (hasVirtualDevice(step.to()) && !hasVirtualDevice(step.from())) {
      // A plugin may describe -1, and there is no virtual device of it.
      assertThatThrownBy(() -> getProperties.invoke(lifted, -1))
          .cause()
          .isInstanceOf(NetException.class)
          .hasMessageContaining("device -1");
    } else {
      assertThat(getProperties.invoke(lifted, -1)).isNotNull();
    }
  }

  private static boolean hasVirtualDevice(Class<?> version) throws NoSuchMethodException {
    Class<?> properties = version.getMethod("getProperties", int.class).getReturnType();
    return Arrays.stream(properties.getRecordComponents())
        .anyMatch(property -> property.getName().equals("virtualDevice"));
  }

  /** Makes properties of which none has a value that a step would make up. */
  private static Object properties(Class<?> service) throws Exception {
    Class<?> type = service.getMethod("getProperties", int.class).getReturnType();
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < values.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(components[i].getName(), types[i], i + 2);
    }
    return type.getDeclaredConstructor(types).newInstance(values);
  }

  private static Object value(String name, Class<?> type, int i) {
    if (name.equals("ptrSupport")) {
      return 3; // no DMABUF, which version 5 cannot have
    } else if (type == int.class) {
      return i;
    } else if (type == long.class) {
      return 100L + i;
    } else if (type == short.class) {
      return (short) i;
    } else if (type == float.class) {
      return i + 0.5f;
    } else if (type == boolean.class) {
      return true;
    } else if (type == String.class) {
      return "text " + i;
    } else if (type == NetDeviceType.class) {
      return NetDeviceType.UNPACK;
    } else if (type == VirtualDevice.class) {
      return new VirtualDevice(List.of(1, 2));
    }
    throw new AssertionError("no value of " + type);
  }
}
