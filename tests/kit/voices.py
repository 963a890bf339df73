"""Voices of a browser that record what they are told to speak."""

from __future__ import annotations

import json

from tests.kit.browsing import Phone

VOICES = """
    const voices = arguments0;
    window.spoken = [];
    class Voice extends EventTarget {
        speaking = false;
        getVoices() { return voices; }
        speak(one) { window.spoken.push(one.text); }
        cancel() { window.spoken.push("|"); }
    }
    Object.defineProperty(window, "speechSynthesis", { value: new Voice() });
    window.SpeechSynthesisUtterance = class extends EventTarget {
        constructor(text) { super(); this.text = text; }
    };
"""
DUMB = 'Object.defineProperty(window, "speechSynthesis", { value: undefined })'  # a browser without speech


def with_voices(phone: Phone, *languages: str) -> None:
    """Give the browser these voices, and record what they speak."""
    voices = json.dumps([{"lang": language, "default": False, "localService": True} for language in languages])
    phone.cdp("Page.addScriptToEvaluateOnNewDocument", source=VOICES.replace("arguments0", voices))
    phone.here.refresh()
    phone.find(".score")


def spoken(phone: Phone) -> list[str]:
    """Return what the phone has spoken since it loaded the page."""
    texts: list[str] = phone.here.execute_script("return window.spoken")
    return [text for text in texts if text != "|"]
