#include "audit/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/deadline.h"

/* Makes room for one more. array points to the pointer to the n elements. */
static bool grow(struct model *m, void *array, size_t n, size_t *max, size_t size)
{
    m->failed = m->failed || array_reserve(array, n + 1, max, size);
    return !m->failed;
}

uint32_t model_add_profile(struct model *m)
{
    if (!grow(m, &m->profiles, m->n_profiles, &m->max_profiles, sizeof *m->profiles))
        return 0;
    m->profiles[m->n_profiles] = (struct model_profile){ 0 };
    return (uint32_t)m->n_profiles++;
}

void model_add_client(struct model *m, uint32_t profile, uint32_t number)
{
    struct model_profile *k = m->failed ? NULL : &m->profiles[profile];

    if (k && grow(m, &k->clients, k->n_clients, &k->max_clients, sizeof *k->clients))
        k->clients[k->n_clients++] = number;
}

static uint32_t add_block(struct model *m, struct model_block block)
{
    if (!grow(m, &m->blocks, m->n_blocks, &m->max_blocks, sizeof *m->blocks))
        return 0;
    m->blocks[m->n_blocks] = block;
    return (uint32_t)m->n_blocks++;
}

uint32_t model_add_class(struct model *m)
{
    uint32_t class = (uint32_t)m->n_classes;

    if (!grow(m, &m->classes, m->n_classes, &m->max_classes, sizeof *m->classes))
        return 0;
    m->classes[m->n_classes++] = (struct model_class){ 0 };
    m->classes[class].secret = add_block(
        m, (struct model_block){ .cut = 1, .owner = MODEL_CLIENT, .class = class, .secret = true });
    return class;
}

void model_add_member(struct model *m, uint32_t class, struct model_member member)
{
    struct model_class *c = m->failed ? NULL : &m->classes[class];

    if (c && grow(m, &c->members, c->n_members, &c->max_members, sizeof *c->members))
        c->members[c->n_members++] = member;
}

uint32_t model_add_draw(struct model *m, uint32_t owner, uint32_t class, uint32_t cut)
{
    return add_block(m, (struct model_block){ .cut = cut, .owner = owner, .class = class });
}

void model_add_message(struct model *m, uint32_t from, uint32_t to, uint32_t cut, bool open)
{
    if (grow(m, &m->messages, m->n_messages, &m->max_messages, sizeof *m->messages))
        m->messages[m->n_messages++] = (struct model_message){
            .from = from, .to = to, .cut = cut, .open = open, .first = m->n_terms
        };
}

void model_add_term(struct model *m, uint32_t block, uint32_t segment, const void *factor)
{
    struct model_term term = { .block = block, .segment = segment };

    if (m->most_terms > 0 && m->n_terms == m->most_terms)
        m->too_large = true;
    if (m->too_large || !grow(m, &m->terms, m->n_terms, &m->max_terms, sizeof *m->terms))
        return;
    memcpy(term.factor, factor, field_elem_size(m->field));
    m->terms[m->n_terms++] = term;
    m->messages[m->n_messages - 1].n++;
}

/* Union-find with path halving. */
static uint32_t find(uint32_t *parent, uint32_t x)
{
    while (parent[x] != x)
        x = parent[x] = parent[parent[x]];
    return x;
}

static void link_blocks(const struct model *m, uint32_t *parent)
{
    for (size_t i = 0; i < m->n_messages; i++) {
        const struct model_term *terms = m->terms + m->messages[i].first;

        for (size_t j = 1; j < m->messages[i].n; j++)
            parent[find(parent, terms[j].block)] = find(parent, terms[0].block);
    }
    /* a client's random vectors are in the component of its secret even if no message has both */
    for (size_t i = 0; i < m->n_blocks; i++)
        if (m->blocks[i].owner == MODEL_CLIENT)
            parent[find(parent, (uint32_t)i)] = find(parent, m->classes[m->blocks[i].class].secret);
}

static bool has_vectors(const struct model_class *c)
{
    for (size_t i = 0; i < c->n_members; i++)
        if (c->members[i].vector)
            return true;
    return false;
}

static uint32_t component_of(const struct model *m, const struct model_message *message)
{
    return m->blocks[m->terms[message->first].block].component;
}

/* Counts the members of each component and lists them if the arrays are allocated. */
static void list_members(struct model *m)
{
    for (size_t i = 0; i < m->n_blocks; i++) {
        struct model_component *c = &m->components[m->blocks[i].component];

        m->blocks[i].place = (uint32_t)c->n_blocks;
        if (c->blocks)
            c->blocks[c->n_blocks] = (uint32_t)i;
        c->n_blocks++;
    }
    for (size_t i = 0; i < m->n_classes; i++) {
        struct model_component *c = &m->components[m->blocks[m->classes[i].secret].component];

        m->classes[i].place = (uint32_t)c->n_classes;
        if (c->classes)
            c->classes[c->n_classes] = (uint32_t)i;
        c->n_classes++;
        c->has_vectors = c->has_vectors || has_vectors(&m->classes[i]);
    }
    for (size_t i = 0; i < m->n_messages; i++) {
        struct model_component *c;

        if (m->messages[i].n == 0)
            continue;
        c = &m->components[component_of(m, &m->messages[i])];
        if (c->messages)
            c->messages[c->n_messages] = (uint32_t)i;
        c->n_messages++;
    }
}

static int list_components(struct model *m)
{
    list_members(m);
    for (size_t i = 0; i < m->n_components; i++) {
        struct model_component *c = &m->components[i];

        c->blocks = calloc(c->n_blocks + 1, sizeof *c->blocks);
        c->messages = calloc(c->n_messages + 1, sizeof *c->messages);
        c->classes = calloc(c->n_classes + 1, sizeof *c->classes);
        if (!c->blocks || !c->messages || !c->classes)
            return -1;
        c->n_blocks = c->n_messages = c->n_classes = 0;
    }
    list_members(m);
    return 0;
}

int model_finish(struct model *m, struct hagg_err *err)
{
    uint32_t *parent = m->failed || m->too_large ? NULL : calloc(m->n_blocks + 1, sizeof *parent);
    int status = -1;

    if (m->too_large)
        return err_set(err, HAGG_E_USAGE,
                       "the messages of the plan have more than %zu terms: audit a plan with fewer "
                       "stations in a sharing, or use --max-terms and more memory",
                       m->most_terms);

    for (size_t i = 0; parent && i < m->n_blocks; i++)
        parent[i] = (uint32_t)i;
    if (parent) {
        link_blocks(m, parent);
        for (size_t i = 0; i < m->n_blocks; i++)
            if (parent[i] == i)
                m->blocks[i].component = (uint32_t)m->n_components++;
        for (size_t i = 0; i < m->n_blocks; i++)
            m->blocks[i].component = m->blocks[find(parent, (uint32_t)i)].component;
        m->components = calloc(m->n_components + 1, sizeof *m->components);
        status = m->components ? list_components(m) : -1;
    }
    for (size_t i = 0; i < m->n_profiles; i++) {
        m->profiles[i].first = m->n_clients;
        m->n_clients += m->profiles[i].n_clients;
    }
    free(parent);
    return status ? err_errno(err, "no memory for the linear system of a plan") : 0;
}

int model_check_time(const struct model *m, struct hagg_err *err)
{
    return deadline_passed(m->deadline)
               ? err_set(err, HAGG_E_TOO_FEW, "the time is up: use a larger --time-limit")
               : 0;
}

void model_free(struct model *m)
{
    for (size_t i = 0; i < m->n_profiles; i++)
        free(m->profiles[i].clients);
    for (size_t i = 0; i < m->n_classes; i++)
        free(m->classes[i].members);
    for (size_t i = 0; m->components && i < m->n_components; i++) {
        free(m->components[i].blocks);
        free(m->components[i].messages);
        free(m->components[i].classes);
    }
    free(m->profiles);
    free(m->classes);
    free(m->blocks);
    free(m->messages);
    free(m->terms);
    free(m->components);
    if (m->rest && m->rest->messages)
        model_free(m->rest->messages);
    free(m->rest ? m->rest->messages : NULL);
    free(m->rest);
    *m = (struct model){ 0 };
}
