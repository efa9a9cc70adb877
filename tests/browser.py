"""A page in a headless Chromium, driven by its DevTools protocol over a pipe: no driver, no socket, no package."""

import contextlib
import json
import shutil
import subprocess
import tempfile
import time

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
]


def chromium():
    """Where a Chromium is, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Page:
    """One tab. `complaints` collects what a person would see in red in the console."""

    def __init__(self, url, script=True):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # Chromium reads commands from descriptor 3 and writes answers to 4: our pipes to its input and output.
        arguments = [chromium(), *FLAGS, f"--user-data-dir={self.profile.name}"]
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1', "sh", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        self.commands, self.answers = self.process.stdin, self.process.stdout
        self.waiting, self.number, self.session = b"", 0, None
        self.complaints, self.loaded = [], False
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.resize(1280, 900)
        self.prefer("light")
        if not script:
            self.send("Emulation.setScriptExecutionDisabled", value=True)
        self.send("Page.navigate", url=url)
        self.until(lambda: self.loaded)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self.session = None
            self.send("Browser.close")
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.commands.close()
        self.answers.close()
        self.profile.cleanup()

    def send(self, method, **parameters):
        """A command and its answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.commands.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]

    def receive(self):
        """The next message; events are noted."""
        while b"\0" not in self.waiting:
            more = self.answers.read(1 << 20)
            assert more, "Chromium has gone"
            self.waiting += more
        message, self.waiting = self.waiting.split(b"\0", 1)
        message = json.loads(message)
        method, about = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(about["exceptionDetails"])
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.complaints.append(about["args"])
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.complaints.append(about["entry"])
        elif method == "Network.requestWillBeSent" and not about["request"]["url"].startswith(("file:", "data:")):
            self.complaints.append(f"asks for {about['request']['url']}")
        return message

    def until(self, condition):
        """Wait for something, a quarter of an hour at most, as every test."""
        while not condition():
            self.send("Runtime.evaluate", expression="1")
            time.sleep(0.02)

    def __call__(self, expression):
        """The value of a JavaScript expression."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def resize(self, width, height):
        """Another window."""
        self.send(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500
        )

    def prefer(self, scheme="", media=""):
        """light or dark; screen or print."""
        features = [{"name": "prefers-color-scheme", "value": scheme}] if scheme else []
        self.send("Emulation.setEmulatedMedia", media=media, features=features)

    def mouse(self, kind, x, y):
        """Move or press at a place of the window."""
        press = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **press)

    def click(self, selector):
        """Click on the middle of an element, as a person does."""
        for _ in range(3):  # what comes into view is laid out then, and moves what is below it
            self(
                f"document.querySelector({json.dumps(selector)}).scrollIntoView({{block: 'center', behavior: 'instant'}})"
            )
            self("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        box = self(f"document.querySelector({json.dumps(selector)}).getBoundingClientRect().toJSON()")
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)
