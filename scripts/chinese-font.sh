#!/bin/sh
# Makes the font of the Chinese window anew, after words of assets/languages/zh-Hans.po have changed
# (a test says which letters are missing): a subset of Noto Sans CJK, from the file of Debian's
# fonts-noto-cjk. Needs pyftsubset (pip install fonttools).
#   scripts/chinese-font.sh /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc
set -eu
cd "$(dirname "$0")/.."
pyftsubset "$1" --font-number=2 --text-file=assets/languages/zh-Hans.po \
    --layout-features='' --no-hinting --desubroutinize --name-IDs='0,1,2,3,4,5,6,13,14' \
    --output-file=assets/fonts/NotoSansCJKsc-subset.otf
