#!/bin/sh
# Succeeds where `convert` is ImageMagick's. Other programs have this name: one of Windows changes
# file systems, and some machines have a small program in its place.
convert -version 2>/dev/null | grep -q '^Version: ImageMagick'
