"""Settings of all tests."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

import ddz_solver

# Machines that run tests may be busy: no deadline for one example.
settings.register_profile("project", deadline=None, print_blob=True)
settings.load_profile("project")

# Behind the installed package: for the programs in bench/ that tests call.
sys.path.append(str(Path(__file__).parents[1]))


@pytest.fixture(autouse=True, scope="session")
def same_package_in_child_processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Programs that tests start import the package under test, not the source tree without its compiled modules."""
    before = Path.cwd()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(ddz_solver.__file__).parent.parent), prepend=os.pathsep)
        os.chdir(tmp_path_factory.mktemp("anywhere"))
        yield
        os.chdir(before)


@pytest.fixture
def press_ctrl_c() -> Iterator[Callable[[float], None]]:
    """Call it with seconds: so much later this process is interrupted as by Ctrl-C.

    Tests that run in the background begin with that signal ignored.
    """
    main = threading.main_thread().ident
    assert main is not None
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timers: list[threading.Timer] = []

    def press(seconds: float) -> None:
        timers.append(threading.Timer(seconds, signal.pthread_kill, (main, signal.SIGINT)))
        timers[-1].start()

    yield press
    for timer in timers:
        timer.cancel()
        timer.join()
    signal.signal(signal.SIGINT, before)
