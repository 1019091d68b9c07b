/*
 * sending.h - the steps in which a node carries files from its own directory out to the directories
 * in of other nodes.
 *
 * A step is done if all copies exist and the node has noted in its own directory that it has sent
 * them. So a file that somebody else wrote to an inbox does not count.
 *
 * The part of a node does not see the other nodes. It sends each file in a step of its own, with a
 * command of the user, in which "{file}" is the name of the file, "{to}" the receiver, as in
 * "station-2", and "{name}" the name of the copy. The note then names the receiver.
 */
#ifndef HAGG_ROUND_SENDING_H
#define HAGG_ROUND_SENDING_H

#include "round/commands.h"

/* Begins with a node of the tier of the layer. what names the note. */
void sending_begin(struct commands *c, uint32_t node, const char *what);

/* Adds a file, by its name in the directory out of the node, and the name of its copy. Many files
 * become several steps. */
void sending_file(struct commands *c, const char *from, enum step_tier tier, uint32_t to,
                  const char *as);

void sending_end(struct commands *c);

/* Checks the command of the user. HAGG_E_USAGE if it lacks a mark or cannot be part of a step. */
int sending_check(const char *command, struct hagg_err *err);

#endif
