#include "engine/rules/validate.h"
