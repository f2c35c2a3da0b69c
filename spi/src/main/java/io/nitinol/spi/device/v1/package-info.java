// SPDX-License-Identifier: Apache-2.0

/**
 * Version 1 of the device interface: a kind of device with its memory, its streams and its kernels.
 * Begin with {@link io.nitinol.spi.device.v1.DeviceProvider}. NCCL is written for CUDA and has no
 * such plugin. {@code io.nitinol.spi.kernel.v1} beside it reduces host memory only.
 *
 * <p>Its users are the communicators on device memory of Nitinol's core ({@code
 * DeviceCommunicator}), a conformance kit, and programs that use a provider directly.
 *
 * <p>A provider makes these calls of its driver. Where a driver has no such call, the provider does
 * what the cell says.
 *
 * <table>
 * <caption>What each operation stands for</caption>
 * <thead>
 * <tr><th>here</th><th>CUDA driver</th><th>HIP</th><th>Level Zero</th></tr>
 * </thead>
 * <tbody>
 * <tr><td>{@code unavailable}, {@code devices}</td>
 *     <td>cuInit, cuDeviceGetCount, cuDevicePrimaryCtxRetain</td>
 *     <td>hipInit, hipGetDeviceCount</td>
 *     <td>zeInit, zeDriverGet, zeDeviceGet, zeContextCreate</td></tr>
 * <tr><td>thread's device</td>
 *     <td>cuCtxPushCurrent, cuCtxPopCurrent around each call</td>
 *     <td>hipGetDevice, hipSetDevice around each call</td>
 *     <td>none: calls name context and device</td></tr>
 * <tr><td>{@code Device.name}, {@code pciId}, {@code uuid}</td>
 *     <td>cuDeviceGetName, cuDeviceGetPCIBusId, cuDeviceGetUuid</td>
 *     <td>hipDeviceGetName, hipDeviceGetPCIBusId, hipDeviceGetUuid</td>
 *     <td>zeDeviceGetProperties, zeDevicePciGetPropertiesExt</td></tr>
 * <tr><td>{@code memorySize}, {@code processors}</td>
 *     <td>cuDeviceTotalMem, MULTIPROCESSOR_COUNT</td>
 *     <td>hipDeviceTotalMem, hipDeviceAttributeMultiprocessorCount</td>
 *     <td>zeDeviceGetMemoryProperties, slices × subslices</td></tr>
 * <tr><td>{@code canAccess}, {@code link}</td>
 *     <td>cuDeviceCanAccessPeer, cuDeviceGetP2PAttribute; the kind by NVML</td>
 *     <td>hipDeviceCanAccessPeer, hipDeviceGetP2PAttribute, hipExtGetLinkTypeAndHopCount</td>
 *     <td>zeDeviceCanAccessPeer, zeDeviceGetP2PProperties; the kind by zeFabricEdgeGet</td></tr>
 * <tr><td>{@code enablePeerAccess}</td>
 *     <td>cuCtxEnablePeerAccess</td>
 *     <td>hipDeviceEnablePeerAccess</td>
 *     <td>nothing: access is on</td></tr>
 * <tr><td>{@code allocate}, {@code allocateHost}, {@code close}</td>
 *     <td>cuMemAlloc, cuMemHostAlloc (portable, mapped), cuMemFree, cuMemFreeHost</td>
 *     <td>hipMalloc, hipHostMalloc (portable, mapped), hipFree, hipHostFree</td>
 *     <td>zeMemAllocDevice, zeMemAllocHost, zeMemFree</td></tr>
 * <tr><td>{@code registerHost}</td>
 *     <td>cuMemHostRegister, cuMemHostUnregister</td>
 *     <td>hipHostRegister, hipHostUnregister</td>
 *     <td>an extension of the driver imports host pointers; else UNSUPPORTED</td></tr>
 * <tr><td>{@code find}</td>
 *     <td>cuPointerGetAttributes, cuMemGetAddressRange</td>
 *     <td>hipPointerGetAttributes, hipMemGetAddressRange</td>
 *     <td>zeMemGetAllocProperties, zeMemGetAddressRange; of the provider's context only</td></tr>
 * <tr><td>{@code exportMemory}, {@code importMemory}</td>
 *     <td>cuIpcGetMemHandle, cuIpcOpenMemHandle, cuIpcCloseMemHandle</td>
 *     <td>hipIpcGetMemHandle, hipIpcOpenMemHandle, hipIpcCloseMemHandle</td>
 *     <td>zeMemGetIpcHandle, zeMemOpenIpcHandle; the descriptor in the handle is fetched by
 *         pidfd_getfd</td></tr>
 * <tr><td>{@code exportDmaBuf}</td>
 *     <td>cuMemGetHandleForAddressRange</td>
 *     <td>hsa_amd_portable_export_dmabuf of the runtime below HIP</td>
 *     <td>an allocation made with ze_external_memory_export_desc_t</td></tr>
 * <tr><td>{@code createStream}, {@code wrapStream}</td>
 *     <td>cuStreamCreateWithPriority (non-blocking); a CUstream</td>
 *     <td>hipStreamCreateWithPriority (non-blocking); a hipStream_t</td>
 *     <td>zeCommandListCreateImmediate (in order); such a list</td></tr>
 * <tr><td>{@code copy}, {@code fill}</td>
 *     <td>cuMemcpyAsync, cuMemsetD8Async</td>
 *     <td>hipMemcpyAsync, hipMemsetD8Async</td>
 *     <td>zeCommandListAppendMemoryCopy, zeCommandListAppendMemoryFill</td></tr>
 * <tr><td>{@code writeValue}, {@code waitValue}</td>
 *     <td>cuStreamWriteValue64, cuStreamWaitValue64 (GEQ)</td>
 *     <td>hipStreamWriteValue64, hipStreamWaitValue64 (Gte)</td>
 *     <td>an extension of the driver; else UNSUPPORTED</td></tr>
 * <tr><td>{@code record}, {@code await}</td>
 *     <td>cuEventRecord, cuStreamWaitEvent</td>
 *     <td>hipEventRecord, hipStreamWaitEvent</td>
 *     <td>zeCommandListAppendSignalEvent, zeCommandListAppendWaitOnEvents; a fresh event from a
 *         pool for each record</td></tr>
 * <tr><td>{@code query}</td>
 *     <td>cuStreamQuery, cuEventQuery</td>
 *     <td>hipStreamQuery, hipEventQuery</td>
 *     <td>zeEventQueryStatus, zeCommandListHostSynchronize with 0</td></tr>
 * <tr><td>{@code synchronize}</td>
 *     <td>cuEventQuery until the time is over: cuEventSynchronize has no bound</td>
 *     <td>hipEventQuery likewise</td>
 *     <td>zeEventHostSynchronize, zeCommandListHostSynchronize</td></tr>
 * <tr><td>{@code elapsedNanos}</td>
 *     <td>cuEventElapsedTime</td>
 *     <td>hipEventElapsedTime</td>
 *     <td>zeEventQueryKernelTimestamp</td></tr>
 * <tr><td>{@code beginCapture}, {@code endCapture}, {@code isCapturing}</td>
 *     <td>cuStreamBeginCapture (relaxed), cuStreamEndCapture, cuGraphInstantiate,
 *         cuStreamIsCapturing</td>
 *     <td>hipStreamBeginCapture, hipStreamEndCapture, hipGraphInstantiate,
 *         hipStreamIsCapturing</td>
 *     <td>a regular command list, to which the provider appends what it is given, and
 *         zeCommandListClose</td></tr>
 * <tr><td>{@code launch} of a graph</td>
 *     <td>cuGraphLaunch</td>
 *     <td>hipGraphLaunch</td>
 *     <td>zeCommandQueueExecuteCommandLists, in the order of the stream by events</td></tr>
 * <tr><td>{@code DeviceKernels}, {@code DeviceTeam}</td>
 *     <td>cuModuleLoadData of PTX, cuLaunchKernel</td>
 *     <td>hipModuleLoadData of code objects, hipModuleLaunchKernel</td>
 *     <td>zeModuleCreate of SPIR-V, zeCommandListAppendLaunchKernel</td></tr>
 * </tbody>
 * </table>
 *
 * <p>Blocks of a team's kernels wait for blocks on other devices, so they all run at once: no more
 * of them than processors, and memory that peers poll is read past caches (CUDA {@code ld.acquire}
 * with system scope, HIP {@code __hip_atomic_load} likewise, SPIR-V atomics with scope
 * CrossDevice).
 */
@NullMarked
package io.nitinol.spi.device.v1;

import org.jspecify.annotations.NullMarked;
