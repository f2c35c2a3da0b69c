# SPDX-License-Identifier: Apache-2.0
"""Runs NCCL's all-reduce in Nitinol's switch, every GPU a host of its own, beside NCCL's ring; see bench/nccl-collnet."""

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import urllib.request

import nccl_socket as nccl

QUICK = [8, 4 << 10, 1 << 20, 16 << 20]
START_SECONDS = 20


class Switch:
    """A switch process on loopback, with its statistics page."""

    def __init__(self, launcher):
        self.address, self.page = (f"127.0.0.1:{nccl.free_port()}" for _ in range(2))
        self.process = subprocess.Popen([launcher, "switch", "--listen", self.address, "--stats", self.page],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        late = threading.Timer(START_SECONDS, self.process.kill)
        late.start()
        said = ""
        while "listening at" not in said:
            line = self.process.stdout.readline()
            said += line
            if not line:
                sys.exit(f"nccl-collnet: the switch did not start: {said}")
        late.cancel()
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def metrics(self):
        """Returns the counters of the statistics page by name."""
        with urllib.request.urlopen(f"http://{self.page}/metrics", timeout=10) as answer:
            text = answer.read().decode()
        return {name: float(value) for name, value in re.findall(r"^(\w+) ([0-9.eE+]+)$", text, re.M)}

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def main():
    parser = argparse.ArgumentParser(prog="nccl-collnet")
    parser.add_argument("--dist", help="a distribution of Nitinol: its directory or tar.gz")
    parser.add_argument("--gpus", type=int, default=0, help="how many; default: all")
    parser.add_argument("--rounds", type=int, default=3, help="launches of each")
    parser.add_argument("--quick", action="store_true", help="few sizes, one launch of each")
    parser.add_argument("--json", help="a file for the figures")
    parser.add_argument("--limit", type=int, default=180, help="seconds that one launch may take")
    arguments = parser.parse_args()
    import torch
    arguments.network = "Socket"
    arguments.gpus = arguments.gpus or torch.cuda.device_count()
    if arguments.gpus < 2 or torch.cuda.device_count() < arguments.gpus:
        sys.exit(f"nccl-collnet: {torch.cuda.device_count()} GPUs here, and 2 are the least")
    rounds = 1 if arguments.quick else arguments.rounds
    sizes = QUICK if arguments.quick else nccl.SIZES
    runs = {"ring": [], "collnet": []}
    with tempfile.TemporaryDirectory() as directory:
        library = nccl.find_library(arguments.dist, os.path.join(directory, "dist"))
        launcher = os.path.join(os.path.dirname(library), "..", "..", "bin", "nitinol")
        switch = Switch(launcher)
        try:
            for number in range(rounds):
                for which, found in runs.items():
                    before = switch.metrics()
                    one = {"NCCL_COLLNET_ENABLE": "0", "NCCL_ALGO": "ring"}
                    if which == "collnet":
                        one = {"NCCL_COLLNET_ENABLE": "1", "NCCL_ALGO": "allreduce:collnetchain", "NITINOL_COLLNET": "Switch",
                               "NITINOL_COLLNET_SWITCH": switch.address}
                    place = os.path.join(directory, which)
                    os.makedirs(place, exist_ok=True)
                    run = nccl.launch("nitinol", library, arguments, sizes, place, number,
                                      lambda rank: dict(one, NCCL_HOSTID=f"host{rank}"))
                    run["switched"] = {k: v - before.get(k, 0) for k, v in switch.metrics().items()}
                    found.append(run)
        finally:
            switch.close()
    print(f"NCCL {runs['ring'][0]['nccl']}, {arguments.gpus} GPUs, each a host of its own; {runs['ring'][0]['loaded']}; "
          f"medians of {rounds} launches of each, in turns")
    print(f"{'all_reduce':>12} | {'ring us':>10} | {'switch us':>10} | {'ratio':>6} wrong")
    rows, wrongs = [], 0
    for first in runs["ring"][0]["found"]:
        cases = {w: [f for r in runs[w] for f in r["found"] if (f["operation"], f["asked"]) == (first["operation"], first["asked"])]
                 for w in runs}
        wrong = sum(f["wrong"] for w in runs for f in cases[w])
        wrongs += wrong
        if first["operation"] != "all_reduce":
            continue
        seconds = {w: statistics.median(f["seconds"] for f in cases[w]) for w in runs}
        ratio = seconds["ring"] / seconds["collnet"]
        print(f"{first['size']:>12} | {seconds['ring'] * 1e6:>10.1f} | {seconds['collnet'] * 1e6:>10.1f} | {ratio:>6.2f} {wrong:>5}")
        rows.append({"bytes": first["size"], "ratio": ratio, "wrong": wrong, "seconds": seconds})
    switched = {w: {k: sum(r["switched"].get(k, 0) for r in runs[w]) for k in runs[w][0]["switched"]} for w in runs}
    for which, counters in switched.items():
        print(f"switch, while NCCL's algorithm was {which}: "
              + ", ".join(f"{k} {v:.0f}" for k, v in sorted(counters.items()) if v and k.endswith("_total")))
    losses = [runs[w][0]["losses"] for w in runs]
    apart = max(abs(a - b) for a, b in zip(*losses))
    alike = len(losses[0]) == len(losses[1]) == nccl.STEPS and apart <= 1e-4 * max(losses[0])
    print(f"training: {len(losses[1])} steps, loss {losses[1][0]:.6f} to {losses[1][-1]:.6f} in the switch; "
          f"largest difference to the ring's {apart:.3g}")
    used = sum(v for k, v in switched["collnet"].items() if k.endswith("_total") and "bytes" in k)
    if arguments.json:
        with open(arguments.json, "w") as out:
            json.dump({"rows": rows, "switched": switched, "losses": losses}, out)
    if not used:
        lines = [l for l in runs["collnet"][0]["log"].splitlines() if "oll" in l or "itinol" in l]
        print("NCCL did not reduce in the switch; its log:", *lines[:60], sep="\n")
    if wrongs or not alike:
        print(f"nccl-collnet: {wrongs} wrong elements; losses {'alike' if alike else 'DIFFER'}")
    worst = min(rows, key=lambda r: r["ratio"])
    # On one machine the switch's traffic shares the memory with everybody's, so there is no goal for the time.
    print(f"bench nccl-collnet: worst ratio {worst['ratio']:.2f} at {worst['bytes']} B, {'all results right' if not wrongs else 'WRONG'}, no goal")
    return 1 if wrongs or not alike or not used else 0


if __name__ == "__main__":
    sys.exit(main())
