#include "audit/promise.h"

#include "audit/beyond.h"
#include "audit/findings.h"
#include "plan/plan_aligned.h"

/* True if masks hide everything but the total from the federator and so many stations. Under
 * partial collusion stations do not collude with the federator. */
static bool masks_hide(const struct plan *p, uint32_t stations)
{
    const struct topology *t = &p->topology;

    return !t->full || t->dealers.n == 0 ||
           t->dealers.n >= p->aligned->chunks + (uint64_t)stations + topology_spares(t, 0);
}

static bool exceeds(uint64_t num, uint64_t den, const struct topology_tolerated *t)
{
    return (unsigned __int128)num * t->den > (unsigned __int128)t->num * den;
}

int promise_prove(struct promises *p, const struct model *m, struct text *why, struct hagg_err *err)
{
    const struct plan *plan = m->rest ? m->rest->plan : NULL;
    int answer = 1;

    *p = (struct promises){ 0 };
    for (size_t i = 0; plan && i < plan->topology.n_tolerated; i++) {
        const struct topology_tolerated *t = &plan->topology.tolerated[i];
        struct beyond_amount most = { 0 };
        struct promise *now = &p->list[p->n++];
        size_t num, den;

        if (beyond_of_shares(&most, m, t->stations, err)) {
            coalition_free(&most.who);
            return -1;
        }
        coalition_free(&most.who);
        num = most.num;
        den = most.den;
        findings_lowest(&num, &den);
        *now = (struct promise){ .promised = *t, .num = num, .den = den };
        now->kept = masks_hide(plan, t->stations) && !exceeds(num, den, t);
        if (!now->kept && answer == 1) {
            answer = 0;
            text_printf(why, "%u stations may learn more than the promised %u/%u of a vector",
                        t->stations, t->num, t->den);
        }
    }
    return answer;
}

/* The promise about these colluders; NULL: none. */
static const struct topology_tolerated *find_promise(const struct coalition *who,
                                                     const struct model *m)
{
    const struct topology *t = &m->rest->plan->topology;
    struct audit_bounds bounds = audit_bounds_of(m->rest->plan);
    uint32_t stations = 0, clients = 0, missing = 0;

    for (uint32_t i = 1; i <= m->n_stations; i++)
        stations += who->nodes[model_station(i)];
    for (size_t i = 0; i < m->n_clients; i++) {
        clients += who->clients[i] == COALITION_MEMBER;
        missing += who->clients[i] == COALITION_MISSING;
    }
    if (stations <= bounds.stations || clients > bounds.clients || missing > bounds.missing ||
        (!bounds.full && (who->nodes[MODEL_FEDERATOR] || who->total)))
        return NULL;
    for (size_t i = 0; i < t->n_tolerated; i++)
        if (stations <= t->tolerated[i].stations)
            return &t->tolerated[i];
    return NULL;
}

void promise_compare(struct promises *p, const struct audit_result *r, const struct model *m)
{
    const struct learnt *l = r->n_leaks > 0 ? &r->leaks[0].learnt : NULL;
    const struct topology_tolerated *t = l && m->rest ? find_promise(&r->leaks[0].who, m) : NULL;
    bool kept = true;
    size_t num = 0, den;

    *p = (struct promises){ 0 };
    if (!t)
        return;
    den = l->cut;
    for (size_t i = 0; i < l->n_parts; i++) {
        kept = kept && l->parts[i].kind == LEARNT_EACH;
        if (l->parts[i].kind == LEARNT_EACH && l->parts[i].rank > num)
            num = l->parts[i].rank;
    }
    findings_lowest(&num, &den);
    p->n = 1;
    p->list[0] = (struct promise){
        .promised = *t, .num = num, .den = den, .kept = kept && !exceeds(num, den, t)
    };
}

bool promise_tolerates(const struct audit_result *r)
{
    return r->one && r->promises && r->promises->n > 0 && r->promises->list[0].kept;
}

static void put_fraction(uint64_t num, uint64_t den, struct text *text)
{
    text_printf(text, "%llu", (unsigned long long)num);
    if (den > 1)
        text_printf(text, "/%llu", (unsigned long long)den);
}

void promise_put(const struct promises *p, struct text *text)
{
    for (size_t i = 0; i < p->n; i++) {
        text_printf(text, "%u stations learn at most ", p->list[i].promised.stations);
        put_fraction(p->list[i].num, p->list[i].den, text);
        text_printf(text, " of any vector besides the total (promised: %u/%u)\n",
                    p->list[i].promised.num, p->list[i].promised.den);
    }
}

void promise_put_compared(const struct promises *p, struct text *text)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct topology_tolerated *t = &p->list[i].promised;

        text_printf(text,
                    "the plan tolerates %s: up to %u stations may learn %u/%u of each vector\n",
                    p->list[i].kept ? "this" : "less", t->stations, t->num, t->den);
    }
}

void promise_json(const struct promises *p, struct json *j)
{
    json_open(j, "tolerated", '[');
    for (size_t i = 0; i < p->n; i++) {
        struct text learnt = { 0 }, promised = { 0 };

        put_fraction(p->list[i].num, p->list[i].den, &learnt);
        put_fraction(p->list[i].promised.num, p->list[i].promised.den, &promised);
        json_open(j, NULL, '{');
        json_uint(j, "stations", p->list[i].promised.stations);
        json_string(j, "promised", text_ok(&promised) ? promised.bytes : "");
        json_string(j, "learnt", text_ok(&learnt) ? learnt.bytes : "");
        json_bool(j, "kept", p->list[i].kept);
        json_close(j, '}');
        text_free(&learnt);
        text_free(&promised);
    }
    json_close(j, ']');
}
