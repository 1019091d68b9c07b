/*
 * commands_steps.h - the steps of each kind of node, and what they have in common. For commands*.c
 * only.
 */
#ifndef HAGG_ROUND_COMMANDS_STEPS_H
#define HAGG_ROUND_COMMANDS_STEPS_H

#include "round/commands.h"

/* An input file that is an argument of the command. */
#define COMMANDS_READS(c, ...)                                                                     \
    do {                                                                                           \
        step_input((c)->layer, __VA_ARGS__);                                                       \
        step_word((c)->layer, STEP_TEXT, __VA_ARGS__);                                             \
    } while (0)

/* The only output file of the command. */
#define COMMANDS_WRITES(c, ...)                                                                    \
    do {                                                                                           \
        step_output((c)->layer, __VA_ARGS__);                                                      \
        step_option((c)->layer, "-o", __VA_ARGS__);                                                \
    } while (0)

/* Adds a word. */
void commands_text(struct commands *c, const char *word);

/* Begin a step with a command; the second one remembers what it did. */
void commands_begin(struct commands *c, uint32_t node, const char *command);
void commands_begin_once(struct commands *c, uint32_t node, const char *command);

/* The options that end a command of hagg-keygen, after those that name the nodes. */
void commands_keygen(struct commands *c);

void commands_begin_aggregate(struct commands *c, uint32_t node, const char *option);
void commands_begin_transform(struct commands *c, uint32_t node, const char *step,
                              const char *option);
void commands_use_roster(struct commands *c, uint32_t node);

/* Returns the name, without its ending, of what a station has from a client or batch: "client-3",
 * or "client-3-via-2" if it came through a courier. */
struct node_name commands_copy_name(const struct commands *c, uint32_t client, uint32_t courier);

/* Returns "" or, if a courier of the client or batch is missing, "-via-2", with the courier instead
 * of it. The files for which this matters have it in their names, because otherwise those that were
 * made before the station was missing would be taken for them. */
struct node_name commands_reroute(const struct commands *c, uint32_t client);

/* Returns the name of the copy of what a station or relay sends, sums or transfers. */
struct node_name commands_sum_name(const struct node_name *suffix, const char *tier, uint32_t node);

/* Adds all files that clients sent to the station, to its report or to another step. */
void commands_read_clients(struct commands *c, uint32_t station, bool reports);

/* Return true if the station receives something from clients; if it sends to a relay that is
 * present; if it makes a sum; and if it does not keep it back. */
bool commands_receives(const struct commands *c, uint32_t station);
bool commands_forwards(const struct commands *c, uint32_t station);
bool commands_adds_up(const struct commands *c, uint32_t station);
bool commands_sends_sum(const struct commands *c, uint32_t station);

/* The functions of the layers. In those of clients, node is the number of a client or of a
 * batch. */
void commands_client_key(struct commands *c, uint32_t node);
void commands_client_share(struct commands *c, uint32_t node);
void commands_client_send(struct commands *c, uint32_t node);
void commands_station_masks(struct commands *c, uint32_t dealer);
void commands_station_send_masks(struct commands *c, uint32_t dealer);
void commands_station_sum(struct commands *c, uint32_t station);
void commands_station_send_sum(struct commands *c, uint32_t station);
void commands_station_keys(struct commands *c, uint32_t station);
void commands_station_transfer(struct commands *c, uint32_t station);
void commands_station_send_transfer(struct commands *c, uint32_t station);
void commands_courier_pass(struct commands *c, uint32_t station);
void commands_courier_send(struct commands *c, uint32_t station);
void commands_roster_report(struct commands *c, uint32_t station);
void commands_roster_send_report(struct commands *c, uint32_t station);
void commands_roster_issue(struct commands *c, uint32_t federator);
void commands_roster_send(struct commands *c, uint32_t federator);
void commands_relay_finish(struct commands *c, uint32_t relay);
void commands_relay_sum(struct commands *c, uint32_t relay);
void commands_relay_send(struct commands *c, uint32_t relay);
void commands_relay_total(struct commands *c, uint32_t federator);

#endif
