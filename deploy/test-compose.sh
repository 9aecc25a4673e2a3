#!/usr/bin/env bash
# Runs what compose.yaml says where containers can't run: each service in a network namespace and a root file system of its own, with
# its command, environment, networks, volumes, capabilities and health check as docker-compose resolves them. In place of the images
# are this checkout with Node, PostgreSQL from npm, and Debian's Caddy and Prometheus. For root on Debian.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "run it as root" >&2; exit 1; }

work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf --one-file-system "$work"' EXIT

apt-get update -qq
apt-get install -qq -y --no-install-recommends docker-compose iproute2 postgresql-client >/dev/null
# Only the programs: their packages would start services here.
mkdir "$work/debian"
(
  cd "$work/debian"
  apt-get download -qq caddy prometheus 2>/dev/null
  for package in *.deb; do dpkg -x "$package" .; done
)

# Whatever this sets up ends with the namespaces.
unshare --net --mount node deploy/compose/main.ts "$work"
