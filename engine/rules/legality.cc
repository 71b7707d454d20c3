#include "engine/rules/legality.h"
