// What tinyexr, the reader of many engines, makes of an OpenEXR file: the first channel as raw
// 32-bit floats, rows from the top, on standard output; width and height on standard error.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <tinyexr.h>

int main(int count, char **words) {
  if (count != 2) return 2;
  float *rgba = NULL;
  int width = 0, height = 0;
  const char *error = NULL;
  if (LoadEXR(&rgba, &width, &height, words[1], &error) != TINYEXR_SUCCESS) {
    fprintf(stderr, "%s\n", error ? error : "no reason given");
    return 1;
  }
  fprintf(stderr, "%d %d\n", width, height);
  for (long at = 0; at < (long)width * height; at++) fwrite(rgba + 4 * at, 4, 1, stdout);
  return 0;
}
