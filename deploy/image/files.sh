#!/bin/sh
# files.sh FOLDER: lays out the root of the image: the server, the libraries it
# loads where the loader looks for them, its licence, and its user.
set -eu
root=$1
server=build/release/bin/sittuyin_server

install -Dsm 755 $server "$root/usr/bin/sittuyin_server"
ldd $server | grep -o '/[^ ]*' | while read -r library; do
  install -Dm 755 "$library" "$root$library"
done
install -Dm 644 LICENSE "$root/usr/share/doc/sittuyin/LICENSE"
mkdir "$root/etc"
echo 'sittuyin:x:65532:65532::/:/nologin' >"$root/etc/passwd"
echo 'sittuyin:x:65532:' >"$root/etc/group"
