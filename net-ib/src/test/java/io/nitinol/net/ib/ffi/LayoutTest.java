// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.PaddingLayout;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The bindings are what the headers of rdma-core say: a C program made from the list of bindings
 * prints every size, offset and constant, the compiler prints every prototype, and Java's are
 * compared with them, one by one.
 */
class LayoutTest {
  private static BindingList list;
  private static HeaderProbe headers;

  @BeforeAll
  static void compile() throws Exception {
    list = BindingList.read();
    headers = HeaderProbe.compile(list);
  }

  @Test
  void theListNamesAllBindings() {
    assertThat(list.types()).hasSizeGreaterThanOrEqualTo(25);
    assertThat(list.constants()).hasSizeGreaterThan(130);
    assertThat(list.functions()).hasSizeGreaterThan(35);
    List<String> bound = new ArrayList<>();
    for (Method method : verbs_constants.class.getDeclaredMethods()) {
      if (!method.isSynthetic()) { // as JaCoCo's is
        bound.add(method.getName());
      }
    }
    assertThat(list.constants()).containsExactlyInAnyOrderElementsOf(bound);
  }

  @Test
  void sizesAndOffsetsAreTheHeaders() throws Exception {
    Map<String, Long> ours = new TreeMap<>();
    for (String type : list.types().keySet()) {
      GroupLayout layout = BindingList.layout(type);
      ours.put("sizeof " + type, layout.byteSize());
      ours.put("alignof " + type, layout.byteAlignment());
      members(type, type, layout, 0, ours);
    }
    assertThat(differences(ours, headers.layouts())).isEmpty();
    assertThat(ours).hasSizeGreaterThan(550);
  }

  private static <V> List<String> differences(Map<String, V> ours, Map<String, V> theirs) {
    Set<String> names = new TreeSet<>(ours.keySet());
    names.addAll(theirs.keySet());
    return names.stream()
        .filter(name -> !Objects.equals(ours.get(name), theirs.get(name)))
        .map(name -> name + ": bound as " + ours.get(name) + ", in C " + theirs.get(name))
        .toList();
  }

  private static void members(
      String type, String path, GroupLayout group, long base, Map<String, Long> into) {
    long offset = 0;
    for (MemoryLayout member : group.memberLayouts()) {
      String name = member.name().orElse("");
      if (!(member instanceof PaddingLayout)) {
        if (name.startsWith("$anon")) {
          members(type, path, (GroupLayout) member, base + offset, into);
        } else {
          into.put("offsetof " + path + "." + name, base + offset);
          into.put("sizeof " + path + "." + name, member.byteSize());
          if (member instanceof GroupLayout nested && !BindingList.isType(nested, name)) {
            members(type, path + "." + name, nested, base + offset, into);
          }
        }
      }
      offset += group instanceof StructLayout ? member.byteSize() : 0;
    }
  }

  /** What accessors use is computed from the layout, but under a name that may be another's. */
  @Test
  void accessorsUseTheLayoutsOffsets() throws Exception {
    int seen = 0;
    for (String type : list.types().keySet()) {
      seen += accessors(Class.forName(BindingList.PACKAGE + type), BindingList.layout(type), 0);
    }
    assertThat(seen).isGreaterThan(220);
  }

  private static int accessors(Class<?> type, GroupLayout group, long base) throws Exception {
    int seen = 0;
    long offset = 0;
    for (MemoryLayout member : group.memberLayouts()) {
      String name = member.name().orElse("");
      if (name.startsWith("$anon")) {
        seen += accessors(type, (GroupLayout) member, base + offset);
      } else if (!(member instanceof PaddingLayout)) {
        assertThat(type.getMethod(name + "$offset").invoke(null))
            .as("%s.%s", type.getSimpleName(), name)
            .isEqualTo(base + offset);
        seen++;
        if (member instanceof GroupLayout nested && !BindingList.isType(nested, name)) {
          seen += accessors(Class.forName(type.getName() + "$" + name), nested, 0);
        }
      }
      offset += group instanceof StructLayout ? member.byteSize() : 0;
    }
    return seen;
  }

  /** A field that was left out would look like padding. */
  @Test
  void paddingIsNoMoreThanAlignmentNeeds() throws Exception {
    for (String type : list.types().keySet()) {
      StructLayout layout = BindingList.layout(type) instanceof StructLayout s ? s : null;
      List<MemoryLayout> members = layout == null ? List.of() : layout.memberLayouts();
      for (int i = 0; i < members.size(); i++) {
        if (members.get(i) instanceof PaddingLayout padding) {
          long needed =
              i + 1 < members.size()
                  ? members.get(i + 1).byteAlignment()
                  : layout.byteAlignment();
          assertThat(padding.byteSize()).as("%s, member %s", type, i).isLessThan(needed);
        }
      }
    }
  }

  /** {@code WorkRequests} writes both by the offsets of one. */
  @Test
  void requestsOfBothQueuesBeginAlike() {
    assertThat(
            new long[] {
              ibv_send_wr.wr_id$offset(),
              ibv_send_wr.next$offset(),
              ibv_send_wr.sg_list$offset(),
              ibv_send_wr.num_sge$offset()
            })
        .containsExactly(
            ibv_recv_wr.wr_id$offset(),
            ibv_recv_wr.next$offset(),
            ibv_recv_wr.sg_list$offset(),
            ibv_recv_wr.num_sge$offset());
  }

  @Test
  void constantsAreTheHeaders() throws Exception {
    Map<String, Long> ours = new TreeMap<>();
    for (String constant : list.constants()) {
      ours.put(constant, ((Number) verbs_h.class.getMethod(constant).invoke(null)).longValue());
    }
    assertThat(differences(ours, headers.constants())).isEmpty();
  }

  @Test
  void prototypesAreTheHeaders() throws Exception {
    Map<String, String> ours = new TreeMap<>();
    for (String function : list.functions()) {
      ours.put(function, kinds(descriptor(function)));
    }
    assertThat(differences(ours, headers.prototypes())).isEmpty();
  }

  private static FunctionDescriptor descriptor(String function) throws Exception {
    Class<?> holder = null;
    for (Class<?> owner : List.of(verbs_h.class, verbs_optional.class)) {
      for (Class<?> nested : owner.getDeclaredClasses()) {
        holder = nested.getSimpleName().equals(function) ? nested : holder;
      }
    }
    assertThat(holder).as("the binding of %s", function).isNotNull();
    Field descriptor = holder.getDeclaredField("DESC");
    descriptor.setAccessible(true);
    return (FunctionDescriptor) descriptor.get(null);
  }

  private static String kinds(FunctionDescriptor descriptor) {
    StringBuilder kinds =
        new StringBuilder(descriptor.returnLayout().map(LayoutTest::kind).orElse("void"));
    descriptor.argumentLayouts().forEach(layout -> kinds.append(' ').append(kind(layout)));
    return kinds.toString();
  }

  private static String kind(MemoryLayout layout) {
    return layout instanceof AddressLayout ? "pointer" : "int" + layout.byteSize() * 8;
  }
}
