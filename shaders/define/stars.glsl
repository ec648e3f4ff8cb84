#define STARS
