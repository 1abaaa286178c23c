"""examples/builds with each build system: the queue passes, and fails with the mistake that NOTIFY_ONE makes.

Meson and the autotools are left out where they are not installed, and the last line says so.

Usage: test_build_systems.py BUILD_DIR
"""

import os
import shutil
import subprocess
import sys

from heddle_run import Case, Done

LOST_WAKE_UP = "deadlock"


def shell(case, folder, command):
    process = subprocess.run(["bash", "-ec", command], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, errors="replace", timeout=600)
    return Done([command], process.returncode, process.stdout, "")


def check(case, name, files, build, explore, with_mistake):
    """`build` with nothing, or `with_mistake`, and then `explore`, in a copy of FILES."""
    for mistake in False, True:
        folder = case.path / f"{name}{'-mistake' if mistake else ''}"
        folder.mkdir()
        for file in ["queue.h", "queue_test.cpp", *files]:
            shutil.copy(case.source / "examples" / "builds" / file, folder)
        done = shell(case, folder, build.replace("@MISTAKE@", with_mistake if mistake else ""))
        case.expect(f"{name}: built{' with the mistake' if mistake else ''}", done.status == 0, done)
        done = shell(case, folder, explore.replace("@MISTAKE@", with_mistake if mistake else ""))
        if mistake:
            case.expect(f"{name}: the mistake is found", done.status != 0 and LOST_WAKE_UP in done.out and "heddle replay" in done.out, done)
        else:
            case.expect(f"{name}: no bug", done.status == 0, done)
        case.expect(f"{name}: no colours", "\x1b" not in done.out, done)


def main():
    case = Case(sys.argv[1])
    prefix = case.path / "prefix"
    subprocess.run(["cmake", "--install", case.build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    os.environ["PATH"] = f"{prefix}/bin:{os.environ['PATH']}"
    for variable in "CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS", "MAKELEVEL":
        os.environ.pop(variable, None)

    check(case, "cmake", ["CMakeLists.txt"],
          f"cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_PREFIX_PATH={prefix} @MISTAKE@ && cmake --build build",
          "ctest --test-dir build -L heddle --output-on-failure", "-DNOTIFY_ONE=ON")
    check(case, "make", ["plain.mk"], "make -f plain.mk CXX=heddle-c++ @MISTAKE@", "make -f plain.mk check CXX=heddle-c++ @MISTAKE@",
          "CPPFLAGS=-DNOTIFY_ONE")
    missing = []
    if shutil.which("meson"):
        check(case, "meson", ["meson.build", "meson_options.txt"], "CXX=heddle-c++ meson setup build @MISTAKE@ && meson compile -C build",
              "meson test -C build; meson test -C build --setup heddle --print-errorlogs", "-Dnotify_one=true")
    else:
        missing.append("Meson")
    if shutil.which("autoreconf") and shutil.which("automake"):
        check(case, "autotools", ["configure.ac", "Makefile.am"],
              "autoreconf --install && mkdir build && cd build && ../configure CXX=heddle-c++ @MISTAKE@ && make",
              "cd build; make check VERBOSE=1 LOG_COMPILER=heddle LOG_FLAGS='check --color=never --'", "CPPFLAGS=-DNOTIFY_ONE")
    else:
        missing.append("the autotools")
    if missing:
        print(f"left out, not installed: {' and '.join(missing)}")
    case.finish()


if __name__ == "__main__":
    main()
