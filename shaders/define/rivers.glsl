#define RIVERS
