#include "planner/joint/joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "planner/joint/choice.h"
#include "planner/joint/joint_coarse.h"
#include "planner/joint/joint_exact.h"
#include "planner/joint/joint_explain.h"
#include "planner/joint/joint_grow.h"
#include "planner/joint/joint_improve.h"
#include "planner/joint/joint_repair.h"

#define SPARE_GROUPS 256 /* in addition to those of the cover, for groups that connect others */
#define TRIALS       12  /* at the default effort */
#define REPAIRS      UINT64_C(40000000) /* edges visited at the default effort, in half a second */

/* The progress that a search reports at the default effort, in the unit of cover.c: about a second.
 * Half of it is for the trials, half for improving the best of them. */
#define WORK UINT64_C(600000000)

struct search {
    const struct instance *in;
    const struct cover *cover;
    struct effort *e;
    struct choice best, trial; /* best is valid and private if found */
    bool found;
    bool complete; /* best is the cheapest private choice; if !found, there is none */
    double bound;
    uint64_t n_starts;
    bool any_cost;                /* stop at the first private choice, whatever it costs */
    uint64_t to_report;           /* progress of this level not yet reported */
    struct joint_failure failure; /* for the message if nothing is found */
};

static void search_free(struct search *s)
{
    choice_free(&s->best);
    choice_free(&s->trial);
}

/* Sets the cover of this level. Before a choice is found, also adapts the room to it. */
static int use_cover(struct search *s, const struct cover *cover, struct hagg_err *err)
{
    uint32_t room = (uint32_t)cover->n_patterns + SPARE_GROUPS;

    s->cover = cover;
    s->bound = fmax(s->bound, 2 * cover->bound);
    if (s->found)
        return 0;
    search_free(s);
    return choice_new(&s->best, s->in, s->failure.condition, room, err) ||
                   choice_new(&s->trial, s->in, s->failure.condition, room, err)
               ? -1
               : 0;
}

static void report(struct search *s, uint64_t work)
{
    work = work < s->to_report ? work : s->to_report;
    progress_add(s->e->progress, work);
    s->to_report -= work;
}

/* The maximum number of starts while nothing is found. */
static uint64_t most_starts(const struct search *s)
{
    return s->any_cost ? 6 : effort_budget(s->e, TRIALS) + 6;
}

/* If started is 1, the trial is private: improves it and keeps it if it is the best. */
static int finish(struct search *s, int started, struct hagg_err *err)
{
    if (started < 1)
        return started;
    if (!s->any_cost && joint_improve(&s->trial, s->cover, s->e, err))
        return -1;
    if (!s->found || s->trial.cost < s->best.cost - CHOICE_LEAST) {
        choice_copy(&s->best, &s->trial);
        s->found = true;
    }
    return 0;
}

enum start { COVER, COARSE };

/* One trial. Growing under the stronger (paper's) condition although the exact one is required
 * leads to other choices, sometimes to cheaper ones or to the only one found. */
static int start(struct search *s, enum start from, enum collusion_condition condition,
                 struct hagg_err *err)
{
    enum collusion_condition asked = s->trial.condition;
    int started = 1;

    s->trial.condition = condition;
    if (from == COVER)
        choice_place(&s->trial, s->cover);
    else
        started = joint_coarse(&s->trial, s->e, err);
    if (started == 1)
        started = joint_grow(&s->trial, s->e, err);
    s->trial.condition = asked;
    s->n_starts++;
    report(s, effort_more(s->e, WORK) / 2 / most_starts(s));
    return finish(s, started, err);
}

static int start_first(struct search *s, struct hagg_err *err)
{
    enum collusion_condition asked = s->trial.condition;

    if (start(s, COVER, asked, err))
        return -1;
    return asked != COLLUSION_PAPER && !(s->found && s->any_cost)
               ? start(s, COVER, COLLUSION_PAPER, err)
               : 0;
}

/* Runs trials until a private choice is found. */
static int search_roughly(struct search *s, struct hagg_err *err)
{
    enum collusion_condition asked = s->trial.condition;

    if (s->n_starts == 0) {
        struct hagg_err why;

        if (start_first(s, err))
            return -1;
        int impossible = s->found ? 0 : joint_explain_impossible(s->in, &s->failure, &why);
        if (impossible < 0) {
            *err = why;
            return -1;
        }
        s->complete = impossible;
    }
    while (s->n_starts < most_starts(s) && !s->found && !s->complete && effort_may_continue(s->e))
        if (start(s, s->n_starts / 2 % 2 ? COARSE : COVER,
                  s->n_starts % 2 ? COLLUSION_PAPER : asked, err))
            return -1;
    return 0;
}

static int search_exactly(struct search *s, struct hagg_err *err)
{
    struct joint_exact x;
    enum collusion_condition asked = s->best.condition;

    /* the stronger condition leaves far fewer groups to try, and its result limits the second
     * search */
    for (int stronger = asked == COLLUSION_EXACT; stronger >= 0; stronger--) {
        if (joint_exact(s->in, stronger ? COLLUSION_PAPER : asked, s->best.z, s->cover->bound,
                        s->found ? s->best.cost : INFINITY, s->e, &x, err))
            return -1;
        if (x.found && choice_assign(&s->best, x.of[0], x.of[1], err))
            return -1;
        s->found |= x.found;
    }
    s->complete = x.complete;
    s->bound = x.bound;
    return 0;
}

static int search_level(struct search *s, struct hagg_err *err)
{
    uint64_t work = effort_more(s->e, WORK);

    s->to_report = work;
    if (search_roughly(s, err))
        return -1;
    report(s, s->to_report - (s->to_report < work / 2 ? s->to_report : work / 2));
    if (s->in->n_clients <= JOINT_EXACT_MOST && !s->complete && !(s->any_cost && s->found) &&
        search_exactly(s, err))
        return -1;
    if (!s->found && !s->complete &&
        finish(s, joint_repair(&s->trial, effort_more(s->e, REPAIRS), s->e, err), err))
        return -1;
    if (s->found && !s->complete && !s->any_cost) {
        if (joint_improve_more(&s->best, s->cover, s->e, s->to_report, err))
            return -1;
        s->to_report = 0;
    }
    report(s, s->to_report);
    return 0;
}

/* The largest number of colluding clients, below the one of the instance, against which a private
 * choice is found; -1 if there is none. */
static int find_largest(const struct search *s, int64_t *largest, struct hagg_err *err)
{
    struct instance fewer = *s->in;
    int64_t above = s->best.z;

    *largest = -1;
    while (above - *largest > 1 && effort_may_continue(s->e)) {
        struct search t;

        fewer.colluders = (uint32_t)((above + *largest) / 2);
        if (above - *largest == 2 || *largest < 0)
            fewer.colluders = (uint32_t)(*largest + 1);
        t = (struct search){ .in = &fewer, .e = s->e, .failure = s->failure, .any_cost = true };
        progress_expect(s->e->progress, effort_more(s->e, WORK));
        int status = use_cover(&t, s->cover, err) || search_level(&t, err) ? -1 : 0;
        if (t.found)
            *largest = fewer.colluders;
        else
            above = fewer.colluders;
        search_free(&t);
        if (status)
            return -1;
    }
    return 0;
}

static int by_set(const void *a, const void *b, void *arg)
{
    size_t n_words = *(const size_t *)arg;

    return memcmp(a, b, n_words * sizeof(uint64_t));
}

static uint32_t find_pattern(const struct joint *j, size_t n_words, const uint64_t *set)
{
    size_t low = 0, high = j->n_patterns - 1;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (memcmp(j->patterns + middle * n_words, set, n_words * sizeof *set) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low;
}

static int export(const struct search *s, struct joint *j, struct hagg_err *err)
{
    const struct choice *c = &s->best;
    size_t n_words = c->in->n_words, n = 0;
    uint32_t n_clients = c->in->n_clients;

    *j = (struct joint){ .cost = c->cost, .proved = s->complete };
    j->bound = s->complete ? c->cost : fmin(s->bound, c->cost);
    j->patterns = malloc(2 * (size_t)c->room * n_words * sizeof *j->patterns);
    j->shares = malloc(n_clients * sizeof *j->shares);
    j->keys = malloc(n_clients * sizeof *j->keys);
    if (!j->patterns || !j->shares || !j->keys) {
        joint_free(j);
        return err_errno(err, "no memory to plan for full collusion");
    }
    for (unsigned side = 0; side < 2; side++)
        for (uint32_t g = 0; g < c->room; g++)
            if (c->side[side].clients[g] > 0)
                memcpy(j->patterns + n++ * n_words, choice_set(c, side, g),
                       n_words * sizeof *j->patterns);
    qsort_r(j->patterns, n, n_words * sizeof *j->patterns, by_set, &n_words);
    for (size_t i = 0; i < n; i++) {
        const uint64_t *set = j->patterns + i * n_words;

        if (i > 0 && set_equal(set, j->patterns + (j->n_patterns - 1) * n_words, n_words))
            continue;
        memmove(j->patterns + j->n_patterns++ * n_words, set, n_words * sizeof *set);
    }
    for (uint32_t i = 0; i < n_clients; i++)
        for (unsigned side = 0; side < 2; side++)
            (side ? j->keys : j->shares)[i] =
                find_pattern(j, n_words, choice_set(c, side, c->side[side].of[i]));
    return 0;
}

static int fail(struct search *s, struct hagg_err *err)
{
    s->failure.exhausted = s->complete;
    s->failure.stopped = s->e->cut_short && !s->complete;
    if (find_largest(s, &s->failure.largest, err))
        return -1;
    s->failure.largest_unsure = s->e->cut_short;
    if (joint_explain_impossible(s->in, &s->failure, err) == 0)
        joint_explain(s->in, &s->failure, err);
    return -1;
}

/* Runs level by level, so that more effort finds everything that less effort finds and never gives
 * a more expensive choice. */
static int search(struct search *s, struct cover *cover, struct hagg_err *err)
{
    unsigned most = s->e->level;
    struct cover_search *of_cover;
    uint64_t done;
    int status;

    /* before cover_search_new, so that the expected total is known from the start */
    progress_expect(s->e->progress, effort_budget(s->e, WORK));
    of_cover = cover_search_new(s->in, s->e, err);
    if (!of_cover)
        return -1;
    s->e->level = 0;
    do {
        s->e->level++;
        status = 0;
        if (!cover->proved) {
            cover_free(cover);
            status = cover_search_level(of_cover, s->e, cover, err);
        }
        if (status == 0 && (use_cover(s, cover, err) || search_level(s, err)))
            status = -1;
    } while (status == 0 && s->e->level < most && !s->complete && effort_may_continue(s->e));
    done = effort_budget(s->e, WORK);
    s->e->level = most;
    progress_add(s->e->progress, effort_budget(s->e, WORK) - done);
    cover_search_free(of_cover);
    if (status || !s->found)
        return status;
    /* every step preserved privacy, but the result is still checked as a whole */
    int private = choice_private(&s->best, NULL, err);
    s->found = private == 1;
    return private < 0 ? -1 : 0;
}

int joint_find(const struct instance *in, enum collusion_condition condition, struct effort *e,
               const char *name, const struct topology_client *clients, struct joint *j,
               struct hagg_err *err)
{
    struct search s = {
        .in = in,
        .e = e,
        .failure = { .name = name, .clients = clients, .condition = condition, .largest = -1 }
    };
    struct cover cover = { 0 };
    int status = search(&s, &cover, err);

    if (status == 0)
        status = s.found ? export(&s, j, err) : fail(&s, err);
    search_free(&s);
    cover_free(&cover);
    return status;
}

void joint_free(struct joint *j)
{
    free(j->patterns);
    free(j->shares);
    free(j->keys);
    *j = (struct joint){ 0 };
}
