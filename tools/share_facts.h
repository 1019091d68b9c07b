/*
 * share_facts.h - what hagg-share reports with --json.
 */
#ifndef HAGG_SHARE_FACTS_H
#define HAGG_SHARE_FACTS_H

#include "share/clients.h"
#include "share_args.h"

/* The shares, once they are written. */
void share_facts(const struct share_args *args, const struct clients_report *report);

#endif
