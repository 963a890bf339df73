# Functions for scripts/install and scripts/uninstall, sourced by bash. Every change of the system goes through `run`, so
# --dry-run prints exactly what would be done. The script that sources this file sets $program, $dry and $here.
# shellcheck shell=bash disable=SC2154,SC2034

app=/opt/umpi
command=/usr/local/bin/umpi
games=/var/lib/umpi
bridge=/var/lib/umpi-mqtt
config=/etc/umpi/umpi.toml
boot=/boot/firmware/config.txt
system=$here/firmware/system
files=( # of firmware/system, and where each belongs
  umpi.service /etc/systemd/system/umpi.service
  umpi-network.service /etc/systemd/system/umpi-network.service
  umpi-mqtt.service /etc/systemd/system/umpi-mqtt.service
  umpi-shelf.socket /etc/systemd/system/umpi-shelf.socket
  umpi-shelf@.service /etc/systemd/system/umpi-shelf@.service
  avahi.service /usr/local/share/umpi/avahi.service
  udev.rules /etc/udev/rules.d/60-umpi.rules
  polkit.rules /etc/polkit-1/rules.d/50-umpi.rules
  modules.conf /etc/modules-load.d/umpi.conf
  umpi.1 /usr/local/share/man/man1/umpi.1
)

say() { echo "$program: $*"; }
stop() { echo "$program: $*" >&2; exit 1; }

# run COMMAND…: do it, or with --dry-run print it
run() {
  if [ -z "$dry" ]; then "$@"; return; fi
  printf '   '; printf ' %q' "$@"; echo
}

# booted: whether systemd runs here; it does not in a chroot, or while a card is prepared
booted() { [ -d /run/systemd/system ]; }

# reload: make systemd and udev read the changed files
reload() {
  booted || return 0
  run systemctl daemon-reload
  [ -S /run/udev/control ] || return 0
  run udevadm control --reload
  run udevadm trigger --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev --subsystem-match=tty --subsystem-match=pwm
}

block='# BEGIN umpi: put your own settings below these lines; scripts/uninstall removes them
[all]
dtparam=i2c_arm=on
dtparam=i2c_arm_baudrate=400000
# END umpi'

# with_block FILE: print config.txt with our lines, at their old place or at the end
with_block() {
  block=$block awk '
    /^# BEGIN umpi/ { ours = 1; if (!done++) print ENVIRON["block"] }
    !ours
    /^# END umpi/ { ours = 0 }
    END { if (!done) print ENVIRON["block"] }' "$1"
}

# without_block FILE: print config.txt without our lines
without_block() { sed '/^# BEGIN umpi/,/^# END umpi/d' "$1"; }

# rewrite with_block|without_block FILE: replace FILE at once, and show the differences
rewrite() {
  local found
  found=$(sed -nE 's/^# (BEGIN|END) umpi.*/\1/p' "$2" | paste -sd' ')
  case $found in '' | 'BEGIN END') ;; *)
    stop "$2: expected the lines '# BEGIN umpi' and '# END umpi' once each. Remove what is left of them." ;;
  esac
  ! "$1" "$2" | cmp -s - "$2" || return 0
  say "$2:"
  { "$1" "$2" | diff -U0 "$2" - || true; } | sed -n '4,$ s/^/    /p'
  [ -z "$dry" ] || return 0
  { "$1" "$2" >"$2.new" && sync "$2.new" && mv "$2.new" "$2" && sync "$2"; } || {
    rm -f "$2.new"
    stop "$2 cannot be written; it is unchanged"
  }
}
