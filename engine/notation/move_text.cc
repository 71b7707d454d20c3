#include "engine/notation/move_text.h"
