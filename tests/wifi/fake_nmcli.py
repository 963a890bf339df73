"""NetworkManager's nmcli as a program of a few devices and profiles, with named faults; its world is world.json.

The answers and errors are those of nmcli 1.42.4 (Bookworm) and 1.52.1 (Trixie).
"""

import json
import sys
import time
from pathlib import Path

FILE = Path(__file__).with_name("world.json")
REQUIRED = ("802-11-wireless.ssid", "802-11-wireless.mode", "802-11-wireless-security.psk", "ipv4.method")


def main(words):
    world = json.loads(FILE.read_text())
    world["calls"].append(words)
    fault = world["fault"]
    FILE.write_text(json.dumps(world))
    if fault == "slow":
        time.sleep(600)
    if fault == "garbage":
        sys.stdout.buffer.write(b"\xff\xfe wlan0\n")
        return
    if fault == "dead":
        sys.exit(1)
    if fault == "not running" or world["starts_after"] >= len(world["calls"]):
        fail(8, "Error: NetworkManager is not running.")
    while words[0].startswith("-"):
        words = words[1 if words[0] == "-t" else 2 :]
    world["connects_after"] -= words == ["device", "status"]
    match words:
        case ["device", "status"]:
            for device in world["devices"]:
                name, kind, state, profile = device
                if world["connects_after"] < 0 and state == "disconnected":
                    state, profile = "connected", "preconfigured"
                print(":".join(map(escaped, (name, kind, state, profile))))
        case ["connection", "show"]:
            print("\n".join(map(escaped, world["profiles"])))
        case ["connection", "show", "id", profile]:
            print(escaped(world["profiles"][profile]["802-11-wireless.ssid"]))
        case ["connection", "add", "type", "wifi", "ifname", "*", "con-name", profile, *settings]:
            keep(world, fault, another(world, profile), settings)
        case ["connection", "modify", profile, *settings] if profile in world["profiles"]:
            keep(world, fault, profile, settings)
        case ["connection", "up", profile] if profile in world["profiles"]:
            if fault == "no dnsmasq":
                why = "IP configuration could not be reserved (no available address, timeout, etc.)"
                hint = "Hint: use 'journalctl -xe NM_CONNECTION=2f8a + NM_DEVICE=wlan0' to get more details."
                fail(4, f"Error: Connection activation failed: {why}.\n{hint}")
            wifi = next(device for device in world["devices"] if device[1] == "wifi")
            wifi[2:] = "connected", profile
            print("Connection successfully activated (D-Bus active path: /org/freedesktop/NetworkManager/7)")
        case _:
            fail(2, f"Error: unknown: {words}.")
    FILE.write_text(json.dumps(world))


def keep(world, fault, profile, settings):
    if fault == "refused":
        fail(4, f"Error: Failed to add '{profile}' connection: Insufficient privileges")
    values = dict(zip(settings[::2], settings[1::2], strict=True))
    if missing := [key for key in REQUIRED if key not in values]:
        fail(2, f"Error: {missing[0]} is missing.")
    world["profiles"][profile] = values


def another(world, profile):
    """A name may be used twice."""
    return f"{profile} (another)" if profile in world["profiles"] else profile


def escaped(text):
    return text.replace("\\", "\\\\").replace(":", "\\:")


def fail(status, why):
    print(why, file=sys.stderr)
    sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1:])
