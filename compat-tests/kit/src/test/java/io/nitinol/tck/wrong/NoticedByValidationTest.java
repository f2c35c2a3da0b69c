// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.net.socket.SocketNet;
import io.nitinol.samples.memory.MemoryNet;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.tck.Newest;
import io.nitinol.tck.wrong.DeviceMistakes.CountsEachLookAtADevice;
import io.nitinol.tck.wrong.DeviceMistakes.DoesNotKnowItsSpeed;
import io.nitinol.tck.wrong.DeviceMistakes.HasNoNumberForLatency;
import io.nitinol.tck.wrong.DeviceMistakes.HasRoomForNoComms;
import io.nitinol.tck.wrong.DeviceMistakes.InventsAPciPath;
import io.nitinol.tck.wrong.DeviceMistakes.LosesADevice;
import io.nitinol.tck.wrong.DeviceMistakes.SetsAnUnknownPointerBit;
import io.nitinol.tck.wrong.HandleMistakes.WritesBehindTheHandle;
import io.nitinol.tck.wrong.ReceivingMistakes.ClearsTheRest;
import io.nitinol.tck.wrong.ReceivingMistakes.ReadsLengthsLate;
import io.nitinol.tck.wrong.RegistrationMistakes.OneHandlePerAddress;
import io.nitinol.tck.wrong.RequestMistakes.FlushesNothingForEver;
import io.nitinol.tck.wrong.SendingMistakes.ScramblesWhatItSent;
import io.nitinol.tck.wrong.SizeMistakes.LosesLastOddByte;
import io.nitinol.tck.wrong.SizeMistakes.WritesSizesTooEarly;
import io.nitinol.tck.wrong.StartMistakes.RenamesItselfInInit;
import io.nitinol.validate.Party;
import io.nitinol.validate.ValidatingNet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The wrong plugins that {@code NITINOL_VALIDATE} notices in production, where no caller breaks a
 * rule on purpose. The mistakes of the others are invisible from one end, such as a send that
 * completes early, or are in calls that an application never makes.
 */
class NoticedByValidationTest {
  private static final DebugLogger SILENT =
      new DebugLogger() {
        @Override
        public boolean isEnabled(LogLevel level, long subsystems) {
          return false;
        }

        @Override
        public void log(LogLevel level, long subsystems, String file, int line, String message) {}
      };

  static Stream<Arguments> noticed() {
    return Stream.of(
        arguments(RenamesItselfInInit.class, Party.PLUGIN, "SEL-02"),
        arguments(LosesADevice.class, Party.PLUGIN, "NET-DEV-01"),
        arguments(CountsEachLookAtADevice.class, Party.PLUGIN, "NET-DEV-02"),
        arguments(DoesNotKnowItsSpeed.class, Party.PLUGIN, "NET-DEV-04"),
        arguments(HasNoNumberForLatency.class, Party.PLUGIN, "NET-DEV-04"),
        arguments(HasRoomForNoComms.class, Party.PLUGIN, "NET-DEV-04"),
        arguments(SetsAnUnknownPointerBit.class, Party.PLUGIN, "NET-DEV-05"),
        arguments(InventsAPciPath.class, Party.PLUGIN, "NET-DEV-06"),
        arguments(WritesBehindTheHandle.class, Party.PLUGIN, "NET-CONN-03"),
        arguments(OneHandlePerAddress.class, Party.PLUGIN, "NET-REG-04"),
        arguments(WritesSizesTooEarly.class, Party.PLUGIN, "NET-TEST-08"),
        arguments(FlushesNothingForEver.class, Party.PLUGIN, "NET-FLUSH-02"),
        // It tells the sender the length that it made of it.
        arguments(LosesLastOddByte.class, Party.PLUGIN, "NET-TEST-08"),
        // Memory that changes may have been written by either side.
        arguments(ScramblesWhatItSent.class, Party.EITHER, "NET-SEND-09"),
        arguments(ClearsTheRest.class, Party.EITHER, "NET-RECV-05"),
        // The arrays are overwritten as soon as the call returns, so that it shows.
        arguments(ReadsLengthsLate.class, Party.EITHER, "NET-RECV-05"));
  }

  @ParameterizedTest
  @MethodSource("noticed")
  void aPlainTransferShowsIt(Class<?> wrong, Party party, String rule)
      throws ReflectiveOperationException {
    ValidatingNet net = watched(wrong);
    String end = "it passed everything";
    try {
      transfer(net);
    } catch (RuntimeException e) {
      end = "it ended with " + e; // as an application would see it: what counts is what was noticed
    }
    assertThat(net.violations().counts(party)).as(end).containsOnlyKeys(rule);
    assertThat(net.violations().counts()).as(end).containsOnlyKeys(rule);
  }

  @ParameterizedTest
  @ValueSource(classes = {MemoryNet.class, SocketNet.class})
  void aPlainTransferOverARightNetworkShowsNothing(Class<?> right)
      throws ReflectiveOperationException {
    ValidatingNet net = watched(right);
    transfer(net);
    assertThat(net.violations().counts()).isEmpty();
  }

  private static ValidatingNet watched(Class<?> plugin) throws ReflectiveOperationException {
    Object net = plugin.getConstructor().newInstance();
    return new ValidatingNet(
        Newest.net(net), Newest.netVersion(net), ValidationMode.REPORT, SILENT);
  }

  private static void transfer(ValidatingNet net) {
    net.name();
    PlainTransfer.run(net, net.init(1, NetCommConfig.DEFAULT, SILENT, null));
  }
}
