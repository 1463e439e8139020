"""An engine for tests: one thread, which counts its jobs and may be made to fail."""

from concurrent.futures import ThreadPoolExecutor
from threading import current_thread, main_thread

from headway.runs.engines import SharedInJob


class Away(SharedInJob):
    """Bytes that jobs can read and the search itself cannot, as on a cluster."""

    def read(self):
        assert current_thread() is not main_thread()
        return super().read()


class Inline:
    """An engine of one thread, which counts its jobs; it may be made to fail at one of them."""

    workers = 1

    def __init__(self, fails_at=None):
        self.pool = ThreadPoolExecutor(1)
        self.jobs, self.fails_at = 0, fails_at

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.pool.shutdown()

    def share(self, content):
        return Away(content)

    def submit(self, function, *arguments):
        self.jobs += 1
        if self.jobs == self.fails_at:
            raise KeyboardInterrupt
        return self.pool.submit(function, *arguments)
