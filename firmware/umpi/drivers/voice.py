"""The voice: speaks sentences through espeak-ng and any ALSA output."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Callable, Sequence

from umpi.kernel.messages import message

log = logging.getLogger(__name__)

PROGRAM = "espeak-ng"
ABSENT = message("The voice needs {program}: install it, for example with apt install {program}.", program=PROGRAM)
FAILED = "{program} cannot speak: {fault}"
VOICES = {"en": "en-gb"}  # the voice of a language, where its name is not the language's


class Voice:
    """Speak sentences, one at a time: a new one replaces what is being spoken. `say` returns at once.

    `device` is the name of an ALSA output, "" for the default one. `on_trouble` is called from the voice's own thread:
    with the reason if the program cannot speak, and with "" when it speaks again.

    Source: the manual page of espeak-ng 1.51. It ends with status 0 even without an audio output, so the error on
    stderr counts.
    """

    def __init__(
        self,
        device: str,
        words_per_minute: int,
        on_trouble: Callable[[str], object],
        program: Sequence[str] = (PROGRAM,),
    ) -> None:
        self._command = [*program, "-s", str(words_per_minute), *(("-d", device) if device else ())]
        self._on_trouble = on_trouble
        self._changed = threading.Condition()
        self._next: tuple[str, str] | None = None  # text and language
        self._speaking: subprocess.Popen[str] | None = None
        self._closed = False
        self._trouble = ""
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str, language: str) -> None:
        """Speak a text in a language ("en")."""
        with self._changed:
            self._next = (text, language)
            self._stop()
            self._changed.notify()

    def close(self) -> None:
        """Stop speaking, and wait for the thread."""
        with self._changed:
            self._closed = True
            self._stop()
            self._changed.notify()
        self._thread.join()

    def _stop(self) -> None:
        if self._speaking:
            self._speaking.kill()

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._next is not None)
                if self._closed:
                    return
                assert self._next is not None
                (text, language), self._next = self._next, None
            speaking, fault = self._start(language)  # outside the lock: a fork takes long on a Pi Zero
            with self._changed:
                self._speaking = speaking
                if self._closed or self._next is not None:
                    self._stop()
            if speaking:
                _, errors = speaking.communicate(text)
                fault = self._fault(speaking.returncode, errors)
            with self._changed:
                self._speaking = None
            if not speaking or speaking.returncode >= 0:  # one that was killed does not show whether it can speak
                self._report(fault)

    def _start(self, language: str) -> tuple[subprocess.Popen[str] | None, str]:
        """Start the program, which reads the text from stdin; return it, or why it cannot be started."""
        command = [*self._command, "-v", VOICES.get(language, language), "--stdin"]
        pipe = subprocess.PIPE
        try:
            return subprocess.Popen(
                command, stdin=pipe, stdout=subprocess.DEVNULL, stderr=pipe, text=True, encoding="utf-8"
            ), ""
        except FileNotFoundError:
            return None, ABSENT
        except OSError as fault:
            return None, message(FAILED, program=PROGRAM, fault=fault.strerror or str(fault))

    def _fault(self, status: int, errors: str) -> str:
        """Return why the program did not speak, "" if it did."""
        reasons = [line.partition(":")[2].strip() for line in errors.splitlines() if line.lower().startswith("error:")]
        if not reasons and not status:
            return ""
        return message(FAILED, program=PROGRAM, fault=reasons[-1] if reasons else f"status {status}")

    def _report(self, fault: str) -> None:
        if fault == self._trouble:
            return
        self._trouble = fault
        if fault:
            log.warning("%s", fault)
        self._on_trouble(fault)
