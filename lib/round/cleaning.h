/*
 * cleaning.h - the steps that remove keys and shares after a round.
 */
#ifndef HAGG_ROUND_CLEANING_H
#define HAGG_ROUND_CLEANING_H

#include "round/commands.h"

extern const struct commands_layer cleaning_layers[ROUND_CLEANING];

#endif
