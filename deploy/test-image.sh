#!/usr/bin/env bash
# Builds the image and runs it on a machine that reaches Debian's packages and npm but no image registry: buildah with chroot
# isolation, on a Debian created by debootstrap, with Node and npm from npm. For root on Debian; needs about 5 GB in TMPDIR.
set -euo pipefail
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "run it as root" >&2; exit 1; }

for program in buildah debootstrap; do
  command -v "$program" >/dev/null || missing="${missing:-} $program"
done
if [ -n "${missing:-}" ]; then
  apt-get update -qq
  # shellcheck disable=SC2086 # It is a list.
  apt-get install -qq -y --no-install-recommends $missing >/dev/null
fi

work=$(mktemp -d)
chmod 755 "$work"
# buildah leaves its storage mounted.
tidy() {
  findmnt --list --noheadings --output TARGET | grep "^$work/" | sort --reverse | xargs --no-run-if-empty --delimiter='\n' umount --lazy
  rm -rf --one-file-system "$work"
}
trap tidy EXIT
# Keeps buildah's storage apart from that of this machine.
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
buildah() { command buildah --root "$work/storage" --runroot "$work/run" "$@"; }

echo "== base image: Debian, without Node"
debootstrap --variant=minbase bookworm "$work/base" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}" >"$work/debootstrap.log" ||
  { tail "$work/debootstrap.log" >&2; exit 1; }

commit() {
  local container
  container=$(buildah from scratch)
  buildah add --quiet "$container" "$1" / >/dev/null
  buildah commit --quiet --rm "$container" "$2" >/dev/null
}
commit "$work/base" localhost/launchpad-base

echo "== build image: with Node and npm"
npm install --silent --no-save --prefix "$work/npm" "node@$(node -p 'require("./package.json").devDependencies.node')" npm@11
install -D "$work/npm/node_modules/node/bin/node" "$work/base/usr/local/bin/node"
mkdir -p "$work/base/usr/local/lib/node_modules" "$work/base/usr/local/etc" "$work/base/etc/ssl/certs"
cp -a "$work/npm/node_modules/npm" "$work/base/usr/local/lib/node_modules/"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/base/usr/local/bin/npm"
# This machine's registry and certificate authorities, in case it uses a mirror.
echo "registry=$(npm config get registry)" >"$work/base/usr/local/etc/npmrc"
if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
  cp -L /etc/ssl/certs/ca-certificates.crt "$work/base/etc/ssl/certs/"
  echo "cafile=/etc/ssl/certs/ca-certificates.crt" >>"$work/base/usr/local/etc/npmrc"
fi
commit "$work/base" localhost/launchpad-build-base

echo "== the image"
buildah build --format docker --file deploy/Containerfile --tag localhost/launchpad-indexer \
  --build-arg BUILD_IMAGE=localhost/launchpad-build-base --build-arg BASE_IMAGE=localhost/launchpad-base .
container=$(buildah from localhost/launchpad-indexer)
buildah inspect --type image localhost/launchpad-indexer >"$work/image.json"
du -sh "$(buildah mount "$container")"

# run-image.ts mounts what a container engine would (a read-only root, /data, a tmpfs at /tmp), in a mount namespace that ends with it.
unshare --mount node deploy/run-image.ts "$(buildah mount "$container")" "$work/image.json" "$work/data"
