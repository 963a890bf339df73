"""The hardware of the sensor head, a Raspberry Pi Pico: pins, sampler and the USB serial port."""

import sys
from binascii import hexlify
from os import urandom
from select import POLLIN, poll
from time import sleep_us, ticks_us

import machine
import micropython
from machine import I2C, Pin
from sampler import Sampler
from sensing import COLOUR, Head

RISE_US = 50  # time for the pull-ups to lift their pins
SENSOR = 0x29  # address of the colour sensor
WAIT_US = 3000  # for a colour sensor that holds its clock; a transfer takes 1.5 ms
MOST = 300  # bytes read from the host before the pins are served again


class Board:
    """The hardware of the Pico, with the methods that sensing.py calls."""

    def __init__(self):
        self.board = hexlify(machine.unique_id()).decode()
        self.boot = hexlify(urandom(4)).decode()
        self._sampler = Sampler()
        self.ring = self._sampler.ring
        self._emitters = {}
        self._bus = None

    def watch(self, beams, wall):
        """Prepare the pins of these beams and of the wall."""
        self._bus = None  # its pins may be among them
        for pin in beams:
            if pin in self._emitters:
                self._emitters.pop(pin).value(0)
            Pin(pin, Pin.IN, Pin.PULL_UP)
        if wall is not None:
            Pin(wall, Pin.IN, None)
        sleep_us(RISE_US)

    def emit(self, pin, on):
        """Switch the emitters of a lane."""
        if pin not in self._emitters:
            self._emitters[pin] = Pin(pin, Pin.OUT, value=0)
        self._emitters[pin].value(int(on))

    def put(self, register, value):
        """Write a register of the colour sensor; return nothing read, None if it does not answer."""
        return self._transfer(lambda bus: bus.writeto_mem(SENSOR, register, bytes((value,))) or b"")

    def get(self, register, count):
        """Return registers of the colour sensor, None if it does not answer."""
        return self._transfer(lambda bus: bus.readfrom_mem(SENSOR, register, count))

    def _transfer(self, what):
        try:
            if self._bus is None:
                data, clock = map(Pin, COLOUR)
                self._bus = I2C(1, sda=data, scl=clock, freq=100_000, timeout=WAIT_US)
            return what(self._bus)
        except OSError:
            self._bus = None
            return None


def run():
    """Serve the host until it sends `leave`."""
    micropython.alloc_emergency_exception_buf(100)
    micropython.kbd_intr(-1)  # a byte 3 (Ctrl-C) in noise must not stop the head
    head = Head(Board(), ticks_us, sys.stdout.buffer.write)
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
