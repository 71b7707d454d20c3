#include "engine/game/game.h"
