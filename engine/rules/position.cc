#include "engine/rules/position.h"
