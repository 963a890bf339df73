// An emulated Raspberry Pi Pico that runs MicroPython. Time is the emulated processor's: 8 ns a cycle.
//   node board.mjs MODULES FIRMWARE IMAGE
// Reads commands, a line each, and answers `run` only:
//   drive NS PIN LEVEL   set a pin at a time of the emulated clock
//   send HEX             bytes from the host to the Pico's USB port
//   sensor HEX           a colour sensor at GP26 and GP27 with these registers, from 0 on
//   run NS               run until that time; prints `out NS HEX` for each piece that the Pico sent, then `at NS`
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';
import { bootrom } from './bootrom.mjs';

const [modules, firmware, image] = process.argv.slice(2);
const entry = pathToFileURL(path.resolve(modules, 'rp2040js/dist/esm/index.js'));
const { ConsoleLogger, LogLevel, Simulator, USBCDC } = await import(entry);

const CYCLE_NS = 8;
const FILES = 0xa0000; // where MicroPython keeps its files in the flash of a Pico

/** Run the state machines of a PIO at the pace of their clock dividers; rp2040js runs them apart from time. */
class Pace {
  constructor(pio, clock) {
    this.pio = pio;
    this.clock = clock;
    this.machines = pio.machines.map((machine) => ({ machine, due: null, seen: '', at: 0, period: 0 }));
    pio.run = () => {};
  }

  /** Run until now. `moved` says that a pin is about to change: sleeping machines catch up to this moment. */
  run(moved = false) {
    const now = this.clock.nanos;
    for (const each of this.machines) {
      const { machine } = each;
      if (!machine.enabled) {
        each.due = null;
        continue;
      }
      const step = CYCLE_NS * ((machine.clockDivInt || 65536) + machine.clockDivFrac / 256);
      if (each.due === null) each.due = now;
      if (each.period) {
        if (!moved) continue;
        each.due += Math.max(0, Math.floor((now - each.due) / each.period)) * each.period;
        each.period = 0;
      }
      while (each.due <= now) {
        this.sleepIfIdle(each);
        if (each.period) {
          if (!moved) break;
          each.due += Math.max(0, Math.floor((now - each.due) / each.period)) * each.period;
          each.period = 0;
          if (each.due > now) break;
        }
        const before = machine.cycles;
        machine.step();
        each.due += step * Math.max(1, machine.cycles - before);
      }
    }
    this.pio.checkChangedPins();
  }

  /** A machine that comes back to its first instruction as it was does so again until a pin changes: let it sleep. */
  sleepIfIdle(each) {
    const { machine } = each;
    if (machine.waiting || machine.pc !== machine.wrapBottom) return;
    const state = `${machine.x},${machine.y},${machine.outputShiftReg},${machine.rxFIFO.itemCount},${machine.txFIFO.itemCount}`;
    if (state === each.seen && each.due > each.at) each.period = each.due - each.at;
    each.seen = state;
    each.at = each.due;
  }

  /** Forget what was seen: the pins are others now. */
  wake() {
    for (const each of this.machines) each.seen = '';
  }

  get awake() {
    return this.machines.some(({ machine, period }) => machine.enabled && !period);
  }
}

const simulator = new Simulator();
const { clock, rp2040: mcu } = simulator;
mcu.loadBootrom(bootrom);
mcu.logger = new ConsoleLogger(LogLevel.Error);
mcu.flash.set(fs.readFileSync(firmware), 0);
mcu.flash.set(fs.readFileSync(image), FILES);
mcu.core.PC = 0x10000000;
const paces = mcu.pio.map((pio) => new Pace(pio, clock));

const cdc = new USBCDC(mcu.usbCtrl);
let output = [];
cdc.onSerialData = (bytes) => bytes.length && output.push(`out ${Math.round(clock.nanos)} ${Buffer.from(bytes).toString('hex')}\n`);

for (let pin = 16; pin <= 21; pin++) { // the emitters
  mcu.gpio[pin].addListener((state) => {
    const on = state === 1;
    output.push(`pin ${Math.round(clock.nanos)} ${pin} ${Number(on)}\n`);
    change(() => mcu.gpio[pin].setInputValue(on)); // a pad reads what it drives
    for (const [emitter, receiver, later] of beams) {
      if (emitter === pin) clock.createAlarm(() => change(() => mcu.gpio[receiver].setInputValue(on))).schedule(later);
    }
  });
}

let sensor = null; // its registers; null while none is plugged in
let register = 0; // the next one
let first = true; // whether the next byte names the register
const bus = mcu.i2c[1];
bus.onStart = () => { first = true; bus.completeStart(); };
bus.onConnect = (address) => bus.completeConnect(sensor !== null && address === 0x29);
bus.onWriteByte = (byte) => {
  if (first) register = byte & 0x1f;
  else sensor[register++ & 0x1f] = byte;
  first = false;
  bus.completeWrite(true);
};
bus.onReadByte = () => bus.completeRead(sensor[register++ & 0x1f]);

const beams = []; // those that follow their emitter: its pin, the receiver's, and after how many nanoseconds
let changed = false;

/** Do something that may change what the state machines see. */
function change(what) {
  for (const pace of paces) {
    pace.run(true);
    pace.wake();
  }
  what();
  changed = true;
}

for (const address of [0x40014, 0x4001c]) { // a pin's function and its pad: the program may switch its input on
  const pins = mcu.peripherals[address];
  const write = pins.writeUint32.bind(pins);
  pins.writeUint32 = (offset, value) => change(() => write(offset, value));
}

function run(until) {
  const { core } = mcu;
  while (clock.nanos < until) {
    const awake = paces.some((pace) => !pace.pio.stopped && pace.awake);
    if (core.waiting) {
      const next = clock.nextAlarm ? clock.nanosToNextAlarm : Infinity;
      clock.tick(Math.min(awake ? CYCLE_NS : until - clock.nanos, Math.max(0, next)));
    } else if (awake) {
      clock.tick(core.executeInstruction() * CYCLE_NS);
    } else {
      sprint(core, until);
    }
    for (const pace of paces) if (!pace.pio.stopped) pace.run();
  }
}

/** Run until the next alarm, or until a state machine may wake or the processor waits: nothing else happens then. */
function sprint(core, until) {
  for (let left = 1000; left && !core.waiting && clock.nanosCounter < until; left--) {
    const then = clock.nanosCounter + core.executeInstruction() * CYCLE_NS;
    if (clock.nextAlarm && clock.nextAlarm.nanos <= then) {
      clock.tick(then - clock.nanosCounter);
      return;
    }
    clock.nanosCounter = then;
    if (changed) break;
  }
  changed = false;
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const [word, ...rest] = line.split(' ');
  if (word === 'drive') {
    const [at, pin, level] = rest.map(Number);
    clock.createAlarm(() => change(() => mcu.gpio[pin].setInputValue(level === 1))).schedule(Math.max(0, at - clock.nanos));
  } else if (word === 'follow') {
    beams.push(rest.map(Number));
  } else if (word === 'sensor') {
    sensor = rest[0] ? Buffer.from(rest[0], 'hex') : null;
  } else if (word === 'send') {
    for (const byte of Buffer.from(rest[0], 'hex')) cdc.sendSerialByte(byte);
  } else {
    run(Number(rest[0]));
    process.stdout.write(`${output.join('')}at ${Math.round(clock.nanos)}\n`);
    output = [];
  }
}
