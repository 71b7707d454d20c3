#include "engine/rules/movegen.h"
