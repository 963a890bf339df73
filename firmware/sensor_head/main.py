"""The hardware of the sensor head, a Raspberry Pi Pico: pins, interrupts and the USB serial port."""

import sys
from binascii import hexlify
from os import urandom
from select import POLLIN, poll
from time import ticks_us

import machine
import micropython
from machine import Pin
from sensing import Head

MOST = 300  # bytes read from the host before the pins are served again


class Board:
    """The hardware of the Pico, with the methods that sensing.py calls."""

    def __init__(self):
        self.board = hexlify(machine.unique_id()).decode()
        self.boot = hexlify(urandom(4)).decode()
        self._pins = {}
        self._watched = {}
        self._emitters = {}

    def watch(self, watched, pins):
        """Give each of `watched` its interrupt, and remove all other interrupts."""
        for pin in self._pins.values():
            pin.irq(None)
        emitters = [pins[name] for name in pins if name.startswith("emitter")]
        for pin in [pin for pin in self._emitters if pin not in emitters]:
            self._emitters.pop(pin).value(0)
        self._pins = {}
        self._watched = {each.name: each for each in watched}
        for each in watched:
            wall = each.name == "wall"
            pin = Pin(pins[each.name], Pin.IN, None if wall else Pin.PULL_UP)
            self._pins[each.name] = pin
            edges = Pin.IRQ_RISING if wall else Pin.IRQ_RISING | Pin.IRQ_FALLING
            interrupts = machine.disable_irq()  # otherwise a change in between would leave `dark` wrong
            pin.irq(each.changed, edges, hard=True)
            each.dark = not wall and pin.value() == each.dark_level
            machine.enable_irq(interrupts)

    def dark(self, name):
        """Return whether a beam is dark now."""
        return self._pins[name].value() == self._watched[name].dark_level

    def emit(self, pin, on):
        """Switch the emitters of a lane."""
        if pin not in self._emitters:
            self._emitters[pin] = Pin(pin, Pin.OUT, value=0)
        self._emitters[pin].value(int(on))


def run():
    """Serve the host until it sends `leave`."""
    micropython.alloc_emergency_exception_buf(100)
    micropython.kbd_intr(-1)  # a byte 3 (Ctrl-C) in noise must not stop the head
    head = Head(Board(), ticks_us, sys.stdout.write)
    incoming = poll()
    incoming.register(sys.stdin, POLLIN)
    while not head.left:
        if incoming.poll(1):
            for _ in range(MOST):
                head.take(sys.stdin.buffer.read(1))
                if not incoming.poll(0):
                    break
        head.step()
    micropython.kbd_intr(3)


if __name__ == "__main__":
    try:
        run()
    except Exception as fault:
        print("sorry", repr(fault))  # for people, without a checksum
        machine.reset()
