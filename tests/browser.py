"""A page in a headless Chromium, driven by its DevTools protocol over a pipe."""

import json
import shutil
import subprocess
import tempfile
import time

PATIENCE = 120  # seconds
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update", "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe",
]  # fmt: skip


def chromium():
    """Where a Chromium is, or None."""
    return next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )


class Page:
    """One tab. `complaints` collects errors of the console and requests to the network."""

    def __init__(self, url):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # Chromium reads commands from descriptor 3 and writes answers to 4.
        arguments = [chromium(), *FLAGS, f"--user-data-dir={self.profile.name}"]
        shell = ["sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1', "sh", *arguments]
        self.process = subprocess.Popen(
            shell, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.waiting, self.number, self.session = b"", 0, None
        self.complaints, self.loaded = [], False
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.resize(1280, 900)
        self.prefer("light")
        self.send("Page.navigate", url=url)
        self.until(lambda: self.loaded)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        self.profile.cleanup()

    def send(self, method, **parameters):
        """A command and its answer."""
        self.number += 1
        session = {"sessionId": self.session} if self.session else {}
        message = {"id": self.number, "method": method, "params": parameters} | session
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]

    def receive(self):
        """The next message; events are noted."""
        while b"\0" not in self.waiting:
            more = self.process.stdout.read(1 << 20)
            assert more, "Chromium has gone"
            self.waiting += more
        message, self.waiting = self.waiting.split(b"\0", 1)
        message = json.loads(message)
        method, about = message.get("method"), message.get("params", {})
        self.loaded |= method == "Page.loadEventFired"
        level = (
            about.get("type")
            if method == "Runtime.consoleAPICalled"
            else about.get("entry", {}).get("level")
        )
        asked = about["request"]["url"] if method == "Network.requestWillBeSent" else "file:"
        foreign = not asked.startswith(("file:", "data:"))
        if (
            foreign
            or method == "Runtime.exceptionThrown"
            or level in ("error", "warning", "assert")
        ):
            self.complaints.append(about)
        return message

    def until(self, condition):
        """Wait for something."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, "waited in vain"
            self("1")
            time.sleep(0.02)

    def __call__(self, expression):
        """The value of a JavaScript expression."""
        answer = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def click(self, selector):
        """Click on an element."""
        self(f"document.querySelector({json.dumps(selector)}).click()")

    def press(self, key, code):
        """Press a key of the keyboard, by its name and its code."""
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            of_key = {"key": key, "code": key, "windowsVirtualKeyCode": code}
            self.send("Input.dispatchKeyEvent", type=kind, **of_key, **text)

    def resize(self, width, height):
        """Another window."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.send("Emulation.setDeviceMetricsOverride", **size)

    def prefer(self, scheme):
        """light or dark."""
        self.send(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": scheme}],
        )
