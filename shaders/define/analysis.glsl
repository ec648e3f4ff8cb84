#define ANALYSIS
