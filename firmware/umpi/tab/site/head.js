// A sensor head at a USB port of this computer: the window carries its bytes between the port and the box.

const PICO = 0x2e8a; // the vendor number of Raspberry Pi on USB
const KEPT = "umpi sensor head"; // under which this browser keeps how the head is wired
const AGAIN_MS = 1000; // between attempts to open a port

const serial = navigator.serial;
let writer = null;
let wake = () => {};
serial?.addEventListener("connect", () => wake());

/** How the head is wired, as JSON; "" if none is used. */
export const wiring = () => (serial && localStorage.getItem(KEPT)) || "";

/** What the page of the box may do; undefined in a browser that gives pages no ports. */
export const choice = serial && {
  wiring() {
    try {
      return JSON.parse(wiring());
    } catch { // none is kept
      return null;
    }
  },
  /** Let the player choose the port, and start again with the head; return false if they chose none. A press must lead to it. */
  async choose(wired) {
    try {
      await serial.requestPort({ filters: [{ usbVendorId: PICO }] });
    } catch {
      return false;
    }
    localStorage.setItem(KEPT, JSON.stringify(wired));
    location.reload();
    return true;
  },
  /** Start again without the head. */
  async leave() {
    localStorage.removeItem(KEPT);
    for (const port of await serial.getPorts()) await port.forget?.();
    location.reload();
  },
};

/** Carry bytes for as long as the window is open. `tell` gets {open: true}, {sent, at_us} or {closed: true, elsewhere}. */
export async function carry(tell) {
  for (;;) {
    const [port] = await serial.getPorts();
    const elsewhere = Boolean(port) && !await talk(port, tell);
    tell({ closed: true, elsewhere });
    await new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, AGAIN_MS);
    });
  }
}

/** Send a text to the head. */
export const toHead = (text) => writer?.write(new TextEncoder().encode(text)).catch(() => {}); // the reader learns it too

/** Carry what comes until the port is gone; return false if it cannot be opened. */
async function talk(port, tell) {
  try {
    await port.open({ baudRate: 115200 });
  } catch (fault) {
    console.error(fault);
    return false;
  }
  let reader;
  try {
    await port.setSignals({ dataTerminalReady: true, requestToSend: true }); // MicroPython sends only to who listens
    writer = port.writable.getWriter();
    reader = port.readable.getReader();
    tell({ open: true });
    for (let got = await reader.read(); !got.done; got = await reader.read()) {
      tell({ sent: String.fromCharCode(...got.value), at_us: Math.round(1000 * (performance.timeOrigin + performance.now())) });
    }
  } catch (fault) {
    console.warn(fault); // it was unplugged or lost bytes: carry() tries again
  }
  writer?.releaseLock();
  reader?.releaseLock();
  writer = null;
  await port.close().catch(() => {});
  return true;
}
