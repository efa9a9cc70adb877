"""A page in a headless Chromium, driven by the DevTools protocol over a pipe."""

import json
import shutil
import subprocess
import tempfile
import time

PATIENCE = 120  # seconds
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
    "--remote-debugging-pipe",
]  # fmt: skip


def chromium():
    """Return the path of a Chromium, or None."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


class Page:
    """One tab. `complaints` has the errors and warnings of the console, and network requests."""

    def __init__(self, url):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # Chromium reads commands from descriptor 3 and writes answers to descriptor 4.
        arguments = [chromium(), *FLAGS, f"--user-data-dir={self.profile.name}"]
        shell = ["sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1', "sh", *arguments]
        self.process = subprocess.Popen(
            shell, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self.waiting, self.number, self.session = b"", 0, None
        self.complaints, self.loaded = [], False
        tab = self.send("Target.createTarget", url="about:blank")
        attached = self.send("Target.attachToTarget", targetId=tab["targetId"], flatten=True)
        self.session = attached["sessionId"]
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
        """Send a command and return its answer."""
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
        """Return the next message, and note events."""
        while b"\0" not in self.waiting:
            more = self.process.stdout.read(1 << 20)
            assert more, "Chromium has gone"
            self.waiting += more
        message, self.waiting = self.waiting.split(b"\0", 1)
        message = json.loads(message)
        method, about = message.get("method"), message.get("params", {})
        self.loaded |= method == "Page.loadEventFired"
        level = about.get("entry", {}).get("level")
        if method == "Runtime.consoleAPICalled":
            level = about["type"]
        url = about["request"]["url"] if method == "Network.requestWillBeSent" else "file:"
        is_foreign = not url.startswith(("file:", "data:"))
        is_error = method == "Runtime.exceptionThrown" or level in ("error", "warning", "assert")
        if is_foreign or is_error:
            self.complaints.append(about)
        return message

    def until(self, condition):
        """Wait until a condition is true."""
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, "waited in vain"
            self("1")
            time.sleep(0.02)

    def __call__(self, expression):
        """Return the value of a JavaScript expression."""
        answer = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def click(self, selector):
        """Click on an element."""
        self(f"document.querySelector({json.dumps(selector)}).click()")

    def press(self, key, code):
        """Press a key, given by its name and its code."""
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            of_key = {"key": key, "code": key, "windowsVirtualKeyCode": code}
            self.send("Input.dispatchKeyEvent", type=kind, **of_key, **text)

    def resize(self, width, height):
        """Give the window another size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.send("Emulation.setDeviceMetricsOverride", **size)

    def prefer(self, scheme):
        """Prefer a color scheme, light or dark."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.send("Emulation.setEmulatedMedia", features=[feature])
