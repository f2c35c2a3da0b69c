// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The numbers of NCCL's headers, which the native bridge and the wire rely on. */
class NumbersTest {

  @Test
  void resultCodesAreNccls() {
    assertThat(table(ResultCode.values(), ResultCode::code))
        .isEqualTo(
            "SUCCESS=0 UNHANDLED_CUDA_ERROR=1 SYSTEM_ERROR=2 INTERNAL_ERROR=3 INVALID_ARGUMENT=4"
                + " INVALID_USAGE=5 REMOTE_ERROR=6 IN_PROGRESS=7 TIMEOUT=8");
    for (ResultCode each : ResultCode.values()) {
      assertThat(ResultCode.ofCode(each.code())).isSameAs(each);
    }
    assertThat(ResultCode.ofCode(-1)).isNull();
    assertThat(ResultCode.ofCode(9)).isNull();
  }

  @Test
  void dataTypesAreNccls() {
    assertThat(table(DataType.values(), DataType::code))
        .isEqualTo(
            "INT8=0 UINT8=1 INT32=2 UINT32=3 INT64=4 UINT64=5 FLOAT16=6 FLOAT32=7 FLOAT64=8"
                + " BFLOAT16=9 FLOAT8E4M3=10 FLOAT8E5M2=11");
    assertThat(table(DataType.values(), DataType::size))
        .isEqualTo(
            "INT8=1 UINT8=1 INT32=4 UINT32=4 INT64=8 UINT64=8 FLOAT16=2 FLOAT32=4 FLOAT64=8"
                + " BFLOAT16=2 FLOAT8E4M3=1 FLOAT8E5M2=1");
    for (DataType each : DataType.values()) {
      assertThat(DataType.ofCode(each.code())).isSameAs(each);
      assertThat(each.isFloat()).isEqualTo(each.name().contains("FLOAT"));
    }
    assertThat(DataType.ofCode(-1)).isNull();
    assertThat(DataType.ofCode(12)).isNull();
  }

  @Test
  void operatorsAreNccls() {
    assertThat(table(ReductionOp.values(), ReductionOp::code))
        .isEqualTo("SUM=0 PROD=1 MAX=2 MIN=3 AVG=4");
    for (ReductionOp each : ReductionOp.values()) {
      assertThat(ReductionOp.ofCode(each.code())).isSameAs(each);
    }
    assertThat(ReductionOp.ofCode(-1)).isNull();
    assertThat(ReductionOp.ofCode(5)).isNull();
  }

  @Test
  void pointerTypesAreBits() {
    assertThat(table(PointerType.values(), PointerType::mask)).isEqualTo("HOST=1 CUDA=2 DMABUF=4");
    assertThat(PointerType.CUDA.in(0x1 | 0x4)).isFalse();
    assertThat(PointerType.DMABUF.in(0x1 | 0x4)).isTrue();
  }

  @Test
  void logLevelsAndSubsystemsAreNccls() {
    assertThat(table(LogLevel.values(), LogLevel::code))
        .isEqualTo("NONE=0 VERSION=1 WARN=2 INFO=3 ABORT=4 TRACE=5");
    assertThat(table(LogSubsystem.values(), LogSubsystem::mask))
        .isEqualTo(
            "INIT=1 COLL=2 P2P=4 SHM=8 NET=16 GRAPH=32 TUNING=64 ENV=128 ALLOC=256 CALL=512"
                + " PROXY=1024 NVLS=2048 BOOTSTRAP=4096 REG=8192 PROFILE=16384 RAS=32768"
                + " DESTROY=65536 ALLOC_HOST=131072");
    assertThat(LogSubsystem.ALL).isEqualTo(-1);
  }

  @Test
  void handlesAndRequestsAreNccls() {
    assertThat(io.nitinol.spi.net.v4.Net.HANDLE_MAXSIZE).isEqualTo(64);
    assertThat(io.nitinol.spi.net.v5.Net.HANDLE_MAXSIZE).isEqualTo(128);
    assertThat(io.nitinol.spi.net.v6.Net.HANDLE_MAXSIZE).isEqualTo(128);
    assertThat(io.nitinol.spi.collnet.v4.CollNet.HANDLE_MAXSIZE).isEqualTo(64);
    assertThat(io.nitinol.spi.collnet.v5.CollNet.HANDLE_MAXSIZE).isEqualTo(128);
    assertThat(io.nitinol.spi.collnet.v6.CollNet.HANDLE_MAXSIZE).isEqualTo(128);
    assertThat(io.nitinol.spi.net.v6.Net.MAX_REQUESTS).isEqualTo(32);
  }

  @Test
  void anExceptionNeverCarriesSuccess() {
    Throwable cause = new IllegalStateException();
    NetException e = new NetException(ResultCode.REMOTE_ERROR, "peer left", cause);
    assertThat(e.result()).isEqualTo(ResultCode.REMOTE_ERROR);
    assertThat(e).hasMessage("peer left").hasCause(cause);
    assertThatThrownBy(() -> new NetException(ResultCode.SUCCESS, "fine"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("fine");
  }

  private static <E extends Enum<E>> String table(E[] constants, Function<E, Number> number) {
    return Arrays.stream(constants)
        .map(c -> c.name() + "=" + number.apply(c))
        .collect(Collectors.joining(" "));
  }
}
