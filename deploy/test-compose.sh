#!/usr/bin/env bash
# Runs the services of compose.yaml on machines that can't run containers: each in its own network namespace and root file system, with
# the command, environment, networks, volumes, capabilities and health check that docker-compose resolves. This checkout with Node,
# PostgreSQL from npm, and Debian's Caddy and Prometheus take the place of the images. For root on Debian.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "run it as root" >&2; exit 1; }

work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf --one-file-system "$work"' EXIT

apt-get update -qq
apt-get install -qq -y --no-install-recommends docker-compose iproute2 postgresql-client >/dev/null
# Unpacked, not installed: the packages would start services on this machine.
mkdir "$work/debian"
(
  cd "$work/debian"
  apt-get download -qq caddy prometheus 2>/dev/null
  for package in *.deb; do dpkg -x "$package" .; done
)

# Everything that this sets up disappears with the namespaces.
unshare --net --mount node deploy/compose/main.ts "$work"
