# SPDX-License-Identifier: Apache-2.0
#
# The Gloo side of bench/many-cores: one rank of PyTorch's Gloo over TCP, told what to do like allreduce_mpi.c, where the commands are described.
# Gloo reduces in place, so a call here is one copy and one all-reduce less than out of place: the copy is not made.
#
#   usage: allreduce_gloo.py SOCKET RANK SIZE STORE

import os
import signal
import socket
import sys
import threading
import time

import torch
import torch.distributed as dist

path, rank, size, store = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
torch.set_num_threads(1)
dist.init_process_group("gloo", init_method="file://" + store, rank=rank, world_size=size)
connection = socket.socket(socket.AF_UNIX)
connection.connect(path)
lines = connection.makefile("rw")


def say(text):
    lines.write(text + "\n")
    lines.flush()


def element(of, count):
    return ((torch.arange(count, dtype=torch.int64) * 7 + of * 131) % 1021).to(torch.float32)


def repeat(values, times):
    for _ in range(times):
        dist.all_reduce(values)


say(f"hello {rank} {size} {threading.get_native_id()}")
values = torch.zeros(0)
one = torch.ones(1)
for line in lines:
    word, nbytes, warmup, iterations, check, seconds = line.split()
    signal.alarm(int(seconds))  # should the others hang or the bench be killed
    count = int(nbytes) // 4
    if values.numel() != count:
        values = torch.zeros(count)
    values.zero_()  # sums of sums grow without end; those of zeros take as long
    repeat(values, int(warmup))
    repeat(one, 1)  # a barrier
    start = time.monotonic()
    repeat(values, int(iterations))
    each = (time.monotonic() - start) / max(1, int(iterations)) * 1e9
    answer = f"ok {each:.1f}"
    if check == "1":
        values.copy_(element(rank, count))
        repeat(values, 1)
        expected = torch.zeros(count)
        for other in range(size):
            expected += element(other, count)
        wrong = torch.nonzero(values != expected)
        if wrong.numel() > 0:
            at = int(wrong[0])
            answer = f"wrong {at} {values[at]} {expected[at]}"
    say(answer)
    signal.alarm(0)
dist.destroy_process_group()
os._exit(0)
