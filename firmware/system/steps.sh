# What scripts/install and scripts/uninstall share, to be sourced by bash. Whatever changes the system goes through
# `run`, so that --dry-run prints just what would be done. $program, $dry and $here are the script's own.
# shellcheck shell=bash disable=SC2154,SC2034

app=/opt/umpi
command=/usr/local/bin/umpi
games=/var/lib/umpi
config=/etc/umpi/umpi.toml
boot=/boot/firmware/config.txt
system=$here/firmware/system
files=( # of firmware/system, and where each belongs
  umpi.service /etc/systemd/system/umpi.service
  umpi-network.service /etc/systemd/system/umpi-network.service
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

# booted: whether systemd runs here, which in a chroot and on a card being made it does not
booted() { [ -d /run/systemd/system ]; }

# reload: have systemd and udev read the files that have changed
reload() {
  booted || return 0
  run systemctl daemon-reload
  [ -S /run/udev/control ] || return 0
  run udevadm control --reload
  run udevadm trigger --subsystem-match=gpio --subsystem-match=i2c-dev --subsystem-match=spidev --subsystem-match=tty --subsystem-match=pwm
}

block='# BEGIN umpi: what you want otherwise goes below these lines; scripts/uninstall takes them out
[all]
dtparam=i2c_arm=on
dtparam=i2c_arm_baudrate=400000
# END umpi'

# with_block FILE: print the Pi's config.txt with the lines of ours, where they were before, else at the end
with_block() {
  block=$block awk '
    /^# BEGIN umpi/ { ours = 1; if (!done++) print ENVIRON["block"] }
    !ours
    /^# END umpi/ { ours = 0 }
    END { if (!done) print ENVIRON["block"] }' "$1"
}

# without_block FILE: print it without them
without_block() { sed '/^# BEGIN umpi/,/^# END umpi/d' "$1"; }

# rewrite with_block|without_block FILE: change it, whole or not at all, and show what changes
rewrite() {
  local found
  found=$(sed -nE 's/^# (BEGIN|END) umpi.*/\1/p' "$2" | paste -sd' ')
  case $found in '' | 'BEGIN END') ;; *)
    stop "$2: the lines '# BEGIN umpi' and '# END umpi' do not stand there once each. Take out what is left of them." ;;
  esac
  ! "$1" "$2" | cmp -s - "$2" || return 0
  say "$2:"
  { "$1" "$2" | diff -U0 "$2" - || true; } | sed -n '4,$ s/^/    /p'
  [ -z "$dry" ] || return 0
  { "$1" "$2" >"$2.new" && sync "$2.new" && mv "$2.new" "$2" && sync "$2"; } || {
    rm -f "$2.new"
    stop "$2 cannot be written, and is as it was"
  }
}
