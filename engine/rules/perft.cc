#include "engine/rules/perft.h"
