#include "engine/rules/violation.h"
