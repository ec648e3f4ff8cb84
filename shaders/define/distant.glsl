#define DISTANT
