#include "engine/notation/fen.h"
