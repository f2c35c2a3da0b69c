# SPDX-License-Identifier: Apache-2.0
"""Trains a network from Java over Nitinol and by PyTorch's DDP, in turns; see bench/pytorch-vs-ddp."""

import argparse
import glob
import gzip
import os
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(HERE))))
TRAINING, BATCH, RATE = 1536, 256, 0.1  # as TorchTraining has them
SPOKEN = re.compile(r"(?m)^(\d+) images a second")
LOSS = re.compile(r"epoch \d+: loss ([0-9.]+)")
SUMMED = re.compile(r"a step takes ([0-9.]+) ms and its sums of gradients ([0-9.]+) ms alone;.*: (\d+) % hidden")


def train(args):
    """One rank of DDP."""
    import torch
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel

    rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    cuda = args.device == "cuda"
    device = torch.device("cuda", rank) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if cuda else "gloo")
    with gzip.open(args.digits, "rt") as file:
        rows = [[int(n) for n in line.split(",")] for line in file]
    pixels = torch.tensor([row[:64] for row in rows], dtype=torch.float32) / 16
    labels = torch.tensor([row[64] for row in rows])
    torch.manual_seed(1)
    layers = torch.nn.Sequential(
        torch.nn.Linear(64, args.width), torch.nn.ReLU(),
        torch.nn.Linear(args.width, args.width), torch.nn.ReLU(),
        torch.nn.Linear(args.width, 10)).to(device)
    model = DistributedDataParallel(layers, device_ids=[rank] if cuda else None)
    steps = torch.optim.SGD(model.parameters(), lr=RATE)
    order, images, share, start = random.Random(1), list(range(TRAINING)), BATCH // ranks, 0.0
    for epoch in range(1, args.epochs + 1):
        if epoch == args.epochs // 2 + 1:
            start = time.perf_counter()
        order.shuffle(images)
        total = 0.0
        for first in range(0, TRAINING, BATCH):
            mine = torch.tensor(images[first + rank * share : first + (rank + 1) * share])
            out = model(pixels[mine].to(device))
            loss = torch.nn.functional.cross_entropy(out, labels[mine].to(device))
            steps.zero_grad()
            loss.backward()
            steps.step()
            total += loss.item() * share
        summed = torch.tensor([total], dtype=torch.float64, device=device)
        dist.all_reduce(summed)
        if rank == 0:
            print(f"epoch {epoch}: loss {summed.item() / TRAINING:.6f}")
    if rank == 0:
        seconds = time.perf_counter() - start
        print(f"{(args.epochs - args.epochs // 2) * TRAINING / seconds:.0f} images a second")
    dist.destroy_process_group()


def free_port():
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        return chosen.getsockname()[1]


def run(command, java, ranks, variables, limit):
    """Starts the ranks; returns images a second, the last loss and, where the program says it, what percentage of the
    time the sums of gradients take alone and how much of that was hidden. Ends with what they said where one fails."""
    processes, spoken = [], []
    port = free_port()
    wrong = None
    try:
        for rank in range(ranks):
            env = dict(os.environ, RANK=str(rank), WORLD_SIZE=str(ranks), LOCAL_RANK=str(rank), MASTER_ADDR="127.0.0.1",
                       MASTER_PORT=str(port), **variables)
            if java:  # else NCCL would take the variable for its own
                env.update(NITINOL_RANK=str(rank), NITINOL_SIZE=str(ranks), NCCL_COMM_ID=f"127.0.0.1:{port}",
                           NITINOL_COMM_SECRET=str(port))
            spoken.append(tempfile.TemporaryFile("w+"))
            processes.append(subprocess.Popen(command, env=env, stdout=spoken[-1], stderr=subprocess.STDOUT))
        deadline = time.monotonic() + limit
        while not wrong and any(process.poll() is None for process in processes):
            if time.monotonic() > deadline:
                wrong = f"took longer than {limit} s (--limit)"
            elif any(process.poll() for process in processes):
                wrong = "a rank failed"
            time.sleep(0.05)
    finally:
        for process in processes:
            process.kill()
            process.wait()
    texts = []
    for out in spoken:
        out.seek(0)
        texts.append(out.read())
    rate, losses = SPOKEN.search(texts[0]), [float(loss) for loss in LOSS.findall(texts[0])]
    if not wrong and any(process.returncode for process in processes):
        wrong = "a rank failed"
    if not wrong and (not rate or not losses):
        wrong = "rank 0 printed no result"
    if not wrong and losses[-1] >= losses[0]:
        wrong = f"the loss went from {losses[0]} to {losses[-1]}: it learnt nothing"
    if wrong:
        sys.exit(f"{wrong}: {' '.join(command)}\n" + "\n".join(texts))
    summed = SUMMED.search(texts[0])
    return int(rate[1]), losses[-1], summed and (100 * float(summed[2]) / float(summed[1]), int(summed[3]))


def main():
    parser = argparse.ArgumentParser(prog="bench/pytorch-vs-ddp")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--ranks", default="1,2,4", help="numbers of ranks that divide 256 (1,2,4, as far as there are GPUs)")
    parser.add_argument("--width", type=int, default=1024, help="of the two hidden layers (1024)")
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0, help="of PyTorch in a rank (processors / ranks / 2)")
    parser.add_argument("--limit", type=int, default=120, help="seconds that a run may take (120)")
    parser.add_argument("--java", help="a java of JDK 25 (that of .mvn/find-jdk.sh)")
    parser.add_argument("--jars", default=f"{ROOT}/cli/target/app", help="the directory of Nitinol's")
    parser.add_argument("--classes", help="of app-pytorch and app-sgd, a class path (their target/classes)")
    parser.add_argument("--digits", help=argparse.SUPPRESS)
    parser.add_argument("--rank", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    samples = f"{ROOT}/plugins-samples"
    args.digits = args.digits or f"{samples}/app-sgd/src/main/resources/io/nitinol/samples/sgd/digits.csv.gz"
    if args.rank:
        train(args)
        return
    java = args.java or subprocess.check_output(["sh", f"{ROOT}/.mvn/find-jdk.sh"], text=True).strip() + "/bin/java"
    classes = args.classes or f"{samples}/app-pytorch/target/classes:{samples}/app-sgd/target/classes"
    if not glob.glob(f"{args.jars}/*.jar") or not os.path.isdir(classes.split(":")[0]):
        sys.exit(f"no jars at {args.jars} or no classes at {classes}: run ./mvnw -Pquick -DskipTests package")
    import torch  # here, so that --help works without

    counts = [int(n) for n in args.ranks.split(",")]
    if args.device == "cuda":
        counts = [n for n in counts if n <= torch.cuda.device_count()]
    if not counts or any(n < 1 or BATCH % n for n in counts):
        sys.exit(f"--ranks is {args.ranks}; expected numbers that divide {BATCH}, on cuda with a GPU for each rank")
    library = os.path.join(os.path.dirname(torch.__file__), "lib")
    ours = [java, "--enable-native-access=ALL-UNNAMED", "--add-modules=jdk.incubator.vector", "-cp", f"{classes}:{args.jars}/*",
            "io.nitinol.samples.torch.TorchTraining", args.device, str(args.epochs), str(args.width)]
    ddp = [sys.executable, os.path.abspath(__file__), "--rank", "--device", args.device, "--epochs", str(args.epochs),
           "--width", str(args.width), "--digits", args.digits]
    name = torch.cuda.get_device_name(0) if args.device == "cuda" else f"{os.cpu_count()} processors"
    print(f"PyTorch {torch.__version__} on {name}; two hidden layers of {args.width}, batches of {BATCH}")
    print(f"{'ranks':>5} {'DDP images/s':>14} {'Nitinol':>10} {'ratio':>6} {'loss, DDP':>12} {'Nitinol':>12}"
          f" {'sums':>8} {'hidden':>7}")
    worst, first = None, None
    for ranks in counts:
        threads = args.threads or max(1, len(os.sched_getaffinity(0)) // ranks // 2)
        variables = {"OMP_NUM_THREADS": str(threads), "NITINOL_TORCH_LIB": library}
        rates, losses, shares = ([], []), [0.0, 0.0], []
        for _ in range(args.rounds):
            for side, command in enumerate((ddp, ours)):
                rate, losses[side], summed = run(command, side == 1, ranks, variables, args.limit)
                rates[side].append(rate)
                shares += [summed] if summed else []
        other, mine = (statistics.median(r) for r in rates)
        if first is not None and abs(losses[1] - first) > 0.01 * first:
            sys.exit(f"Nitinol's loss is {losses[1]} on {ranks} ranks and was {first} on {counts[0]}")
        first = losses[1] if first is None else first
        summed, hidden = (f"{statistics.median(s):.0f} %" for s in zip(*shares)) if shares else ("-", "-")
        print(f"{ranks:>5} {other:>14.0f} {mine:>10.0f} {mine / other:>6.2f} {losses[0]:>12.6f} {losses[1]:>12.6f}"
              f" {summed:>8} {hidden:>7}")
        worst = min(worst, (mine / other, ranks)) if worst else (mine / other, ranks)
    print(f"\nbench pytorch-vs-ddp: worst ratio {worst[0]:.2f} at {worst[1]} ranks, {args.device}, goal 1.00")


if __name__ == "__main__":
    main()
