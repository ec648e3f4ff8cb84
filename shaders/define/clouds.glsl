#define CLOUDS
