#!/usr/bin/python3
"""The image: what is in it, and how its server lives in a container."""

import contextlib
import hashlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from datetime import datetime

sys.path.append(os.path.join(os.path.dirname(__file__), "../integration"))
sys.path.append(os.path.join(os.path.dirname(__file__), "../load"))
# pylint: disable=wrong-import-position,unused-import
from control_group import ControlGroup
from doors import PATHS, SERVICE, GrpcDoor, RestDoor
from golden_test import (DoorsTest, DrainingTest, GoldenTest, HttpTest,
                         LimitsTest)
from load import cpu_seconds, frame, validate_move, write
from server import DOORS, Server

VERSION = re.search(r"project\(sittuyin VERSION (\S+)",
                    pathlib.Path("CMakeLists.txt").read_text())[1]
IMAGE = f"localhost/sittuyin:{VERSION}"
CONFINED = "deploy/image/confined.sh"
USER = "65532"
PRIVATE = tuple(f"--{door}_address=127.0.0.1:0" for door in DOORS)
SIZE_MB = 60
MIB = 1 << 20
START_SECONDS = 1  # Wanted; machines are noisy, so several times as much fails.
LOAD_SECONDS = 20


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def build(*options):
    run("deploy/image.sh", *options)


def seconds(work, *args):
    """How long it takes."""
    began = time.monotonic()
    work(*args)
    return time.monotonic() - began


def inspected(kind="image", name=IMAGE):
    return json.loads(run("podman", kind, "inspect", name))[0]


@contextlib.contextmanager
def mounted():
    """The image's root."""
    yield pathlib.Path(run("podman", "image", "mount", IMAGE).strip())
    run("podman", "image", "unmount", IMAGE)


class Container(Server):
    """The image's server, with more options of podman."""

    names = (f"sittuyin-test-{os.getpid()}-{i}" for i in itertools.count())

    def __init__(self, *flags, options=()):
        name = next(self.names)
        began = time.monotonic()
        super().__init__(IMAGE, *flags,
                         prefix=(CONFINED, "--name", name, *options))
        self.start_seconds = time.monotonic() - began
        self.pid = inspected("container", name)["State"]["Pid"]
        self.own_seconds = self._first_event() - start_of(self.pid)
        self.group = ControlGroup(self.pid)

    def _first_event(self):
        """When the server wrote that it serves."""
        event = self.await_event("start")
        return datetime.fromisoformat(event["time"]).timestamp()


def start_of(pid):
    """When the process began, in seconds since 1970."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        ticks = int(file.read().rsplit(")", 1)[1].split()[19])
    boot = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)
    return boot + ticks / os.sysconf("SC_CLK_TCK")


class ImageTest(unittest.TestCase):

    def test_is_small(self):
        size = inspected()["Size"] / 1e6
        print(f"image: {size:.1f} MB (wanted < {SIZE_MB})", flush=True)
        self.assertLess(size, SIZE_MB)

    def test_says_what_it_is(self):
        config = inspected()["Config"]
        self.assertEqual(config["User"], f"{USER}:{USER}")
        self.assertEqual(set(config["ExposedPorts"]),
                         {"50051/tcp", "8080/tcp", "9464/tcp"})
        labels = {name.removeprefix("org.opencontainers.image."): value
                  for name, value in config["Labels"].items()}
        self.assertEqual((labels["title"], labels["version"],
                          labels["licenses"]),
                         ("sittuyin", VERSION, "Apache-2.0"))
        commit = run("git", "rev-parse", "HEAD").strip()
        self.assertEqual(labels["revision"].removesuffix("-dirty"), commit)
        told = run(CONFINED, IMAGE, "--version")
        self.assertIn(f" {VERSION} ({labels['revision']}, Release)", told)

    def test_manifests_name_its_version_and_user(self):
        wanted = {
            "deploy/kubernetes/base/kustomization.yaml":
                (f"newTag: {VERSION}",),
            "deploy/helm/sittuyin/Chart.yaml": (f"appVersion: {VERSION}",),
            "deploy/kubernetes/base/deployment.yaml":
                (f"runAsUser: {USER}", f"runAsGroup: {USER}"),
            "deploy/helm/sittuyin/templates/deployment.yaml":
                (f"runAsUser: {USER}", f"runAsGroup: {USER}")}
        for path, lines in wanted.items():
            text = pathlib.Path(path).read_text(encoding="utf-8")
            for line in lines:
                self.assertRegex(text, rf"(?m)^ *{line}$", path)

    def test_has_nothing_to_run_but_the_server(self):
        with mounted() as root:
            programs = [path for path in root.rglob("*") if path.is_file()
                        and path.stat().st_mode & 0o111
                        and ".so" not in path.name]
            self.assertEqual([str(path.relative_to(root)) for path in programs],
                             ["usr/bin/sittuyin_server"])
            self.assertEqual([path for path in root.rglob("*")
                              if path.stat().st_mode & 0o6002], [])

    def test_bill_of_materials_is_complete(self):
        with mounted() as root:
            bill = json.loads((root / "usr/share/doc/sittuyin/sbom.spdx.json")
                              .read_text(encoding="utf-8"))
            there = {"./" + str(path.relative_to(root)): path.read_bytes()
                     for path in root.rglob("*") if path.is_file()}
        self.assertEqual(bill["spdxVersion"], "SPDX-2.3")
        packages = {each["SPDXID"]: each for each in bill["packages"]}
        self.assertEqual(packages["SPDXRef-sittuyin"]["versionInfo"], VERSION)
        files = {each["fileName"]: each for each in bill["files"]}
        self.assertEqual(
            there.keys() - files.keys(),
            {"./usr/share/doc/sittuyin/sbom.spdx.json"})
        for name, file in files.items():
            for checksum in file["checksums"]:
                self.assertEqual(
                    hashlib.new(checksum["algorithm"],
                                there[name]).hexdigest(),
                    checksum["checksumValue"])
        ids = {"SPDXRef-DOCUMENT", *packages,
               *(file["SPDXID"] for file in files.values())}
        self.assertEqual(len(ids), 1 + len(packages) + len(files))
        relations = {(each["spdxElementId"], each["relationshipType"]):
                     each["relatedSpdxElement"]
                     for each in bill["relationships"]}
        self.assertLessEqual({end for (end, _) in relations} |
                             set(relations.values()), ids)
        for name, file in files.items():  # Each library is of a package.
            if ".so" in name:
                of = relations[file["SPDXID"], "EXPANDED_FROM_ARCHIVE"]
                self.assertRegex(
                    packages[of]["externalRefs"][0]["referenceLocator"],
                    r"^pkg:deb/debian/.+@.+\?arch=")
        names = {each["name"] for each in packages.values()}
        self.assertLessEqual(  # Loaded, linked, and of headers alone.
            {"sittuyin", "libc6", "libssl3", "libgrpc-dev", "libjemalloc-dev",
             "libprotobuf-dev", "rapidjson-dev"}, names)
        print(f"bill of materials: {len(packages)} packages, "
              f"{len(files)} files", flush=True)

    def test_library_of_no_package_ends_the_build(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "lib").mkdir()
            pathlib.Path(folder, "lib/nobodys.so.1").touch()
            done = subprocess.run(
                ["/usr/bin/python3", "deploy/image/sbom.py", folder],
                stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no package owns /lib/nobodys.so.1", done.stderr)

    def test_rebuilds_identically(self):
        """From the packages on."""
        before = inspected()["Id"]
        took = seconds(build, "--no-cache")
        self.assertEqual(inspected()["Id"], before)
        print(f"rebuilt alike in {took:.0f} s", flush=True)


class ConfinedTest(unittest.TestCase):

    def assert_confined(self, pid):
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            status = dict(line.strip().split(":\t", 1) for line in file)
        for name in ("Uid", "Gid", "Groups"):
            self.assertEqual(set(status[name].split()), {USER}, name)
        for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            self.assertEqual(int(status[name], 16), 0, name)
        self.assertEqual((status["NoNewPrivs"], status["Seccomp"]), ("1", "2"))
        for folder in ("", "tmp", "usr/bin", "etc"):
            with self.assertRaises(OSError) as caught:
                with open(f"/proc/{pid}/root/{folder}/x", "wb"):
                    pass
            self.assertIn(caught.exception.errno, (2, 30), folder)

    def test_has_no_rights(self):
        with Container() as container:
            self.assert_confined(container.pid)

    def test_has_them_not_by_run_sh_either(self):
        with subprocess.Popen(
                ["deploy/run.sh", "--container", "--drain_delay=0s", *PRIVATE],
                stdout=subprocess.PIPE, text=True) as process:
            serving = next(line for line in process.stdout
                           if line.startswith("{"))
            name = run("podman", "ps", "--latest", "--quiet").strip()
            self.assert_confined(inspected("container", name)["State"]["Pid"])
            door = RestDoor(json.loads(serving)["rest"])
            self.assertTrue(door.call("ValidateMove",
                                      '{"move": "K@e1"}')["legal"])
            process.terminate()
            self.assertEqual(process.wait(timeout=60), 0)

    def test_starts_at_once(self):
        times = []
        for _ in range(5):
            with Container() as container:
                times.append((container.own_seconds, container.start_seconds))
        own, whole = map(min, zip(*times))
        print(f"serves {own:.2f} s after its start, {whole:.2f} s after "
              f"podman's (wanted < {START_SECONDS})", flush=True)
        self.assertLess(whole, 5 * START_SECONDS)


class LimitedTest(unittest.TestCase):

    def test_memory_is_limited(self):
        """The kernel ends a server that needs more."""
        with tempfile.TemporaryDirectory() as folder:  # Gets a file `oom`.
            done = subprocess.run(
                [os.path.abspath(CONFINED), "--memory=8m", "--memory-swap=8m",
                 IMAGE, *PRIVATE], cwd=folder, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, timeout=60)
        self.assertEqual(done.returncode, 137, done.stdout)

    def test_cpu_is_limited(self):
        with Container(options=("--cpus=0.5",)) as container:
            self.assertEqual(container.group.number("cpu quota"), 50_000)
            began, used = time.monotonic(), cpu_seconds(container.pid)
            RestDoor(container.rest).call("BestMove",
                                          '{"limits": {"moveTime": "3s"}}')
            used = cpu_seconds(container.pid) - used
            share = used / (time.monotonic() - began)
            print(f"of half a core a search took {share:.2f}", flush=True)
            self.assertLess(share, 0.6)
            self.assertGreater(container.group.count("cpu times",
                                                     "nr_throttled"), 0)

    def test_one_core_and_256_mib(self):
        """A worker, a table that fits, and nothing killed under load."""
        small = "--cpus=1", "--memory=256m", "--memory-swap=256m"
        with Container("--hash_mb=1024", options=small) as container:
            start = container.await_event("start")
            self.assertEqual((start["search_workers"], start["hash_mb"]),
                             (1, 128))
            self.assertEqual(container.await_event("hash_cut")["level"],
                             "warning")
            self.assertEqual(container.group.number("memory limit"), 256 * MIB)
            calls = load(container, LOAD_SECONDS)
            killed = container.group.count("memory events", "oom_kill")
            peak = container.group.number("memory peak") / MIB
            print(f"one core, 256 MiB, {LOAD_SECONDS} s: {calls}; "
                  f"peak {peak:.0f} MiB, {killed} killed", flush=True)
            self.assertEqual(killed, 0)
            self.assertEqual(container.stop(), 0)
        self.assertEqual(len(calls), 4)
        for name, count in calls.items():
            self.assertGreater(count, 0, name)


def load(server, seconds):
    """Presses on both doors; good calls by method and door, as the server
    counts them."""
    end = time.monotonic() + seconds

    def search(door):
        while time.monotonic() < end:
            door.call("BestMove", '{"limits": {"moveTime": "0.05s"}}')

    doors = [door for _ in range(4) for door in (  # Of equal deadlines.
        GrpcDoor(server.grpc),
        RestDoor(server.rest, headers={"X-Request-Timeout": "60"}))]
    threads = [threading.Thread(target=search, args=(door,)) for door in doors]
    with tempfile.NamedTemporaryFile() as body:
        write(body.name, frame(validate_move(["K@e2", "K@e7"])))
        loaders = [subprocess.Popen(command, stdout=subprocess.DEVNULL)
                   for command in (
            ["h2load", "-c16", "-m8", f"-D{seconds}", f"-d{body.name}",
             "-Hcontent-type: application/grpc", "-Hte: trailers",
             f"http://{server.grpc}/{SERVICE}/ValidateMove"],
            ["wrk", "-c64", "-t1", f"-d{seconds}s",
             f"http://{server.rest}{PATHS['ValidateMove']}?move=K@e2"])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for loader in loaders:
            loader.wait(timeout=60)
    return {f"{method} over {door}": int(count) for door, method, count in
            re.findall(r'^sittuyin_requests_total\{code="OK",door="(\w+)",'
                       r'method="(\w+)"\} (\d+)$',
                       server.metrics(), re.M) if int(count)}


class Program(unittest.TestProgram):
    """Builds the image once it knows that tests are wanted."""

    def runTests(self):
        print(f"image built in {seconds(build):.0f} s", flush=True)
        super().runTests()


if __name__ == "__main__":
    DoorsTest.server_path, DoorsTest.server_prefix = IMAGE, (CONFINED,)
    Program(warnings="ignore")
