#!/usr/bin/env bash
# Installs Debian's Chromium unless there is one. Whoever sets CHROMIUM_PATH has one.
set -euo pipefail

chromium=${CHROMIUM_PATH:-/usr/bin/chromium}
if [ ! -x "$chromium" ]; then
  if [ -n "${CHROMIUM_PATH:-}" ] || [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "There is no browser at $chromium. Install Chromium, or set CHROMIUM_PATH to where it is." >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update
  apt-get install -y chromium
fi
"$chromium" --version
