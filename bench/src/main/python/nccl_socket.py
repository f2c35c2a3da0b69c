# SPDX-License-Identifier: Apache-2.0
"""Runs NCCL's collectives on NCCL's Socket transport and on Nitinol's plugin, in turns; see bench/nccl-socket."""

import argparse
import glob
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(HERE))))
SIZES = [8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20]
QUICK = [8, 4 << 10, 1 << 20, 16 << 20]
OPERATIONS = ["all_reduce", "all_gather", "reduce_scatter", "broadcast", "all_to_all"]
LARGE = 1 << 20  # from here on bandwidth counts, below it latency
STEPS = 200
# Launches that latency is the best of. NCCL's proxy thread sleeps between operations, and a launch happens to wake it on a
# near or a far core: 25 or 45 us on either network, so that a median says which of the two was drawn more often.
LATENCY_ROUNDS = 9


def warm_up(rank, ranks):
    """Runs small and large messages for a few seconds: a JVM compiles what is called often, and both get the same."""
    import torch
    import torch.distributed as dist

    device = torch.device("cuda", rank)
    for count in (2, 1 << 10, 1 << 16, 1 << 18, 1 << 22):
        whole, part = torch.zeros(count * ranks, device=device), torch.zeros(count, device=device)
        other = torch.zeros_like(whole)
        for _ in range(400 if count < 1 << 16 else 60 if count < 1 << 22 else 15):
            dist.all_reduce(whole)
            dist.all_gather_into_tensor(whole, part)
            dist.reduce_scatter_tensor(part, whole)
            dist.broadcast(whole, 0)
            dist.all_to_all_single(other, whole)
        torch.cuda.synchronize()


def measure(rank, ranks, sizes):
    """Runs every operation at every size; returns what it took and how many elements were wrong."""
    import torch
    import torch.distributed as dist

    warm_up(rank, ranks)
    device = torch.device("cuda", rank)
    found = []
    for name in OPERATIONS:
        for size in sizes:
            count = max(size // 4 // ranks, 1) * ranks
            index = torch.arange(count, device=device) % 97
            mine = (index + rank).float()  # small whole numbers: sums are exact in any order
            whole = torch.zeros(count, device=device)
            part = torch.zeros(count // ranks, device=device)
            block = slice(rank * (count // ranks), (rank + 1) * (count // ranks))
            total = (index * ranks + ranks * (ranks - 1) // 2).float()
            if name == "all_reduce":
                call = lambda: dist.all_reduce(whole)
                before, result, right = (lambda: whole.copy_(mine)), whole, total
            elif name == "all_gather":
                call = lambda: dist.all_gather_into_tensor(whole, mine[block])
                right = torch.cat([(index + r).float()[r * (count // ranks):(r + 1) * (count // ranks)] for r in range(ranks)])
                before, result = whole.zero_, whole
            elif name == "reduce_scatter":
                call = lambda: dist.reduce_scatter_tensor(part, mine)
                before, result, right = part.zero_, part, total[block]
            elif name == "broadcast":
                call = lambda: dist.broadcast(whole, 0)
                before = (lambda: whole.copy_(mine)) if rank == 0 else whole.zero_
                result, right = whole, index.float()
            else:
                call = lambda: dist.all_to_all_single(whole, mine)
                right = torch.cat([(index + r).float()[block] for r in range(ranks)])
                before, result = whole.zero_, whole

            def check():
                before()
                call()
                torch.cuda.synchronize()
                return int((result != right).sum().item())

            wrong = check()
            rounds = 20 if size < LARGE else 8 if size < 64 << 20 else 3
            for _ in range(5 if size < LARGE else 2):
                call()
            torch.cuda.synchronize()
            dist.barrier()
            torch.cuda.synchronize()
            times = []
            for _ in range(3 if size >= LARGE else 40):
                begin = time.perf_counter()
                for _ in range(rounds):
                    call()
                torch.cuda.synchronize()
                times.append((time.perf_counter() - begin) / rounds)
            wrong += check()
            took = min(times) if size >= LARGE else statistics.median(times)
            found.append({"operation": name, "size": count * 4, "asked": size, "seconds": took, "wrong": wrong})
    return found


def train(rank, ranks):
    """A small model for 200 steps, its data by processes that are forked while the plugin is at work."""
    import torch
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel

    torch.manual_seed(7)
    torch.use_deterministic_algorithms(True)
    device = torch.device("cuda", rank)
    model = torch.nn.Sequential(
        torch.nn.Linear(64, 512), torch.nn.ReLU(), torch.nn.Linear(512, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10))
    model = DistributedDataParallel(model.to(device), device_ids=[rank])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

    generator = torch.Generator().manual_seed(11)
    inputs = torch.randn(STEPS * 32 * ranks, 64, generator=generator)
    labels = (inputs[:, :10].argmax(dim=1))
    data = torch.utils.data.TensorDataset(inputs[rank::ranks], labels[rank::ranks])
    loader = torch.utils.data.DataLoader(data, batch_size=32, num_workers=2, multiprocessing_context="fork")
    losses = []
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
        mean = loss.detach().clone()
        dist.all_reduce(mean)
        losses.append((mean / ranks).item())
    return losses


def work(arguments):
    """One rank."""
    import torch
    import torch.distributed as dist

    rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    torch.cuda.set_device(rank)
    begin = time.perf_counter()
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    dist.barrier()
    made = time.perf_counter() - begin
    sizes = [int(s) for s in arguments.sizes.split(",")]
    result = {"init": made, "found": measure(rank, ranks, sizes), "nccl": ".".join(map(str, torch.cuda.nccl.version()))}
    result["losses"] = train(rank, ranks) if arguments.train else []
    with open(f"{arguments.out}.{rank}", "w") as out:
        json.dump(result, out)
    dist.destroy_process_group()


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def launch(which, library, arguments, sizes, directory, number, more=lambda rank: {}):
    """Runs all ranks on one of the two, each with more variables; returns what the ranks found, the slowest of each."""
    out = os.path.join(directory, f"{which}.{number}")
    environment = dict(os.environ, WORLD_SIZE=str(arguments.gpus), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(free_port()),
                       NCCL_P2P_DISABLE="1", NCCL_SHM_DISABLE="1", NCCL_DEBUG="INFO", NCCL_DEBUG_SUBSYS="INIT,NET",
                       NCCL_DEBUG_FILE=out + ".log.%p", CUBLAS_WORKSPACE_CONFIG=":4096:8")
    environment.setdefault("NCCL_SOCKET_IFNAME", "lo")
    environment.pop("NCCL_NET", None)
    if which == "nccl":
        environment.update(NCCL_NET_PLUGIN="none", NCCL_NET="Socket")
    else:
        paths = [os.path.dirname(library)] + environment.get("LD_LIBRARY_PATH", "").split(":")
        environment.update(NCCL_NET_PLUGIN="nitinol", NITINOL_NET=arguments.network, LD_LIBRARY_PATH=":".join(p for p in paths if p))
    command = [sys.executable, "-u", os.path.abspath(__file__), "--out", out, "--sizes", ",".join(map(str, sizes))]
    command += ["--train"] if number == 0 else []
    ranks = [subprocess.Popen(command, env=dict(environment, RANK=str(r), LOCAL_RANK=str(r), **more(r)), stdout=open(f"{out}.out.{r}", "w"),
                              stderr=subprocess.STDOUT) for r in range(arguments.gpus)]
    deadline = time.monotonic() + arguments.limit
    failed = None
    while failed is None and any(r.poll() is None for r in ranks):
        time.sleep(0.1)
        if any(r.poll() not in (None, 0) for r in ranks):
            failed = "a rank failed"
        elif time.monotonic() > deadline:
            failed = f"not done after {arguments.limit} s"
    if failed is None and any(r.wait() != 0 for r in ranks):
        failed = "a rank failed"
    for rank in ranks:
        if rank.poll() is None:
            rank.kill()
            rank.wait()
    logs = "".join(open(f, errors="replace").read() for f in sorted(glob.glob(out + ".log.*")))
    if failed is not None:
        for r in range(arguments.gpus):
            print(f"--- {which}, rank {r}:", "".join(open(f"{out}.out.{r}", errors="replace").readlines()[-25:]), sep="\n")
        print("--- NCCL's log:", "\n".join([l for l in logs.splitlines() if "WARN" in l or "itinol" in l][:40]), sep="\n")
        sys.exit(f"nccl-socket: {which}: {failed}")
    network = sorted(set(re.findall(r"(?:Using network|Assigned NET plugin) (\S+)(?: to comm)?$", logs, re.M)))
    expected = "Nitinol" if which == "nitinol" else "Socket"
    if network != [expected]:
        print("\n".join([l for l in logs.splitlines() if "NET" in l or "WARN" in l][:40]))
        sys.exit(f"nccl-socket: {which} ran on {network}, expected {expected}")
    results = [json.load(open(f"{out}.{r}")) for r in range(arguments.gpus)]
    version = [l.split("NET/Plugin: ")[1] for l in logs.splitlines() if "NET/Plugin: Loaded" in l][:1]
    channels = sorted(set(re.findall(r"(\d+ coll channels|\d+ p2p channels per peer)", logs)))
    found = [dict(a[0], seconds=max(x["seconds"] for x in a), wrong=sum(x["wrong"] for x in a))
             for a in zip(*[r["found"] for r in results])]
    return {"which": which, "init": max(r["init"] for r in results), "found": found, "losses": results[0]["losses"],
            "nccl": results[0]["nccl"], "log": logs, "channels": ", ".join(channels), "loaded": version[0] if version else ""}


def factor(operation, ranks):
    return {"all_reduce": 2 * (ranks - 1) / ranks, "broadcast": 1}.get(operation, (ranks - 1) / ranks)


def find_library(given, directory):
    """The library of a distribution, packed or not; or that of a build."""
    candidates = [given] if given else sorted(glob.glob(os.path.join(ROOT, "cli/target/nitinol-*-linux-*.tar.gz")))[-1:] + [
        os.path.join(ROOT, "net-native/target/nccl")]
    for place in candidates:
        if os.path.isfile(place):
            with tarfile.open(place) as packed:
                packed.extractall(directory, filter="tar")
            place = directory
        for each in glob.glob(os.path.join(place, "**", "libnccl-net-nitinol.so"), recursive=True):
            return os.path.abspath(each)
    sys.exit(f"nccl-socket: no libnccl-net-nitinol.so in {', '.join(candidates)}; --dist names a distribution")


def report(runs, arguments):
    """Prints the table; returns the figures, how many results were wrong, and the worst ratio."""
    by = {w: [r for r in runs if r["which"] == w] for w in ("nccl", "nitinol")}
    print(f"NCCL {runs[0]['nccl']}, {arguments.gpus} GPUs; {by['nitinol'][0]['loaded']}; "
          f"medians of {arguments.rounds} launches of each, in turns; "
          f"below 1 MiB of {len(by['nccl'])}, the ratio being that of the fastest")
    print("init: NCCL's Socket {:.2f} s, Nitinol {:.2f} s".format(*[statistics.median(r["init"] for r in by[w]) for w in by]))
    print("channels: NCCL's Socket {}; Nitinol {}".format(*[by[w][0]["channels"] for w in by]))
    print(f"{'operation':>15} {'bytes':>10} | {'NCCL us':>10} {'busbw':>7} | {'Nitinol us':>10} {'busbw':>7} | {'ratio':>6} wrong"
          " | us in the fastest launch")
    worst, rows, wrongs = None, [], 0
    for first in runs[0]["found"]:
        key = (first["operation"], first["asked"])
        cases = {w: [f for r in by[w] for f in r["found"] if (f["operation"], f["asked"]) == key] for w in by}
        seconds = {w: statistics.median(f["seconds"] for f in cases[w]) for w in by}
        wrong = sum(f["wrong"] for w in by for f in cases[w])
        fastest = {w: min(f["seconds"] for f in cases[w]) for w in by}
        counts = seconds if first["asked"] >= LARGE else fastest
        size, ratio = first["size"], counts["nccl"] / counts["nitinol"]
        bandwidth = {w: size * factor(first["operation"], arguments.gpus) / seconds[w] / 1e9 for w in by}
        goal = 1.0 if first["asked"] >= LARGE else 0.9
        case = f"{first['operation']} of {size} B"
        wrongs += wrong
        if worst is None or ratio / goal < worst[0] / worst[2]:
            worst = (ratio, case, goal)
        print(f"{first['operation']:>15} {size:>10} | {seconds['nccl'] * 1e6:>10.1f} {bandwidth['nccl']:>7.3f} | "
              f"{seconds['nitinol'] * 1e6:>10.1f} {bandwidth['nitinol']:>7.3f} | {ratio:>6.2f} {wrong:>5} | "
              + ", ".join(f"{fastest[w] * 1e6:.1f}" for w in by))
        rows.append({"operation": first["operation"], "bytes": size, "ratio": ratio, "wrong": wrong, "seconds": seconds, "fastest": fastest})
    return rows, wrongs, worst


def compare_losses(runs):
    """Returns whether both trained alike; of two ranks the sums are the same to the bit."""
    theirs, ours = (next(r["losses"] for r in runs if r["which"] == w) for w in ("nccl", "nitinol"))
    apart = max(abs(a - b) for a, b in zip(theirs, ours))
    print(f"training: {len(ours)} steps, loss {theirs[0]:.6f} to {theirs[-1]:.6f} on NCCL's Socket, to {ours[-1]:.6f} on Nitinol; "
          f"largest difference {apart:.3g}")
    return len(theirs) == len(ours) == STEPS and apart <= 1e-4 * max(theirs) and ours[-1] < ours[0]


def main():
    parser = argparse.ArgumentParser(prog="nccl-socket")
    parser.add_argument("--dist", help="a distribution of Nitinol: its directory or tar.gz")
    parser.add_argument("--gpus", type=int, default=0, help="how many; default: all")
    parser.add_argument("--rounds", type=int, default=3, help="launches of each; latency takes 9 at least")
    parser.add_argument("--network", default="Socket", help="the network that Nitinol offers")
    parser.add_argument("--quick", action="store_true", help="few sizes, one run of each")
    parser.add_argument("--json", help="a file for the figures")
    parser.add_argument("--limit", type=int, default=180, help="seconds that one run may take")
    parser.add_argument("--out", help=argparse.SUPPRESS)
    parser.add_argument("--sizes", help=argparse.SUPPRESS)
    parser.add_argument("--train", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.out:
        work(arguments)
        return 0
    import torch
    if arguments.gpus == 0:
        arguments.gpus = torch.cuda.device_count()
    if arguments.gpus < 2 or torch.cuda.device_count() < arguments.gpus:
        sys.exit(f"nccl-socket: {torch.cuda.device_count()} GPUs here, and 2 are the least")
    if arguments.quick:
        arguments.rounds = 1
    runs = []
    with tempfile.TemporaryDirectory() as directory:
        library = find_library(arguments.dist, os.path.join(directory, "dist"))
        for number in range(arguments.rounds if arguments.quick else max(arguments.rounds, LATENCY_ROUNDS)):
            sizes = [s for s in (QUICK if arguments.quick else SIZES) if s < LARGE or number < arguments.rounds]
            for which in ("nccl", "nitinol"):
                runs.append(launch(which, library, arguments, sizes, directory, number))
    rows, wrong, worst = report(runs, arguments)
    alike = compare_losses(runs)
    if arguments.json:
        with open(arguments.json, "w") as out:
            json.dump({"rows": rows, "runs": [{k: v for k, v in r.items() if k != "log"} for r in runs]}, out)
    if wrong or not alike:
        print(f"nccl-socket: {wrong} wrong elements; losses {'alike' if alike else 'DIFFER'}")
    print(f"bench nccl-socket: worst ratio {worst[0]:.2f} at {worst[1]}, goal {worst[2]:.1f}")
    return 1 if wrong or not alike or worst[0] < worst[2] else 0


if __name__ == "__main__":
    sys.exit(main())
