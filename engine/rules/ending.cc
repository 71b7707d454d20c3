#include "engine/rules/ending.h"
