/* The data members of a plugin, before any of its functions is called. */
#include "checks.h"

#include <stdio.h>

#include "report.h"
#include "subject.h"

/* The size of the struct when ABI 1 began; a plugin may lack later members. */
#define FIELD_SIZE  (offsetof(struct hagg_field, mat_apply) + sizeof(void (*)(void)))
#define SCHEME_SIZE (offsetof(struct hagg_scheme, matrix) + sizeof(void (*)(void)))

/* Up to the members of schemes with parameters and prefixes. */
#define WITH_SIZE (offsetof(struct hagg_scheme, matrix_with) + sizeof(void (*)(void)))

static bool check_abi(uint32_t abi, uint32_t size, size_t least)
{
    if (abi != HAGG_PLUGIN_ABI)
        return report_wrong("abi is %u, not %u", abi, HAGG_PLUGIN_ABI);
    if (size < least)
        return report_wrong("size is %u bytes, less than the %zu of this ABI", size, least);
    return true;
}

static void check_field_abi(struct subject *s)
{
    check_abi(s->field->abi, s->field->size, FIELD_SIZE);
}

static void check_scheme_abi(struct subject *s)
{
    check_abi(s->scheme->abi, s->scheme->size, SCHEME_SIZE);
}

static bool is_name(const char *name)
{
    size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");

    return len >= 1 && len <= 64 && name[len] == '\0' && name[0] != '-';
}

static void check_name(struct subject *s)
{
    const char *kind = s->field ? "field" : "scheme";
    const char *name = s->field ? s->field->name : s->scheme->name;
    const char *summary = s->field ? s->field->summary : s->scheme->summary;
    const char *slash = strrchr(s->path, '/'), *file = slash ? slash + 1 : s->path;
    char expected[96];

    if (!name || !is_name(name)) {
        report_wrong("name is not [a-z0-9][a-z0-9-]{0,63}: %.80s", name ? name : "NULL");
        return;
    }
    snprintf(expected, sizeof expected, "hagg-%s-%s.so", kind, name);
    if (strcmp(file, expected) != 0)
        report_wrong("the file is %s, but its name asks for %s", file, expected);
    if (!summary || !*summary || strchr(summary, '\n'))
        report_wrong("summary is not one line");
}

static void check_field_members(struct subject *s)
{
    const struct hagg_field *f = s->field;
    const struct {
        const char *name;
        bool present;
    } members[] = {
        { "init", f->init },           { "add", f->add },           { "sub", f->sub },
        { "scale_add", f->scale_add }, { "inv", f->inv },           { "check", f->check },
        { "sample", f->sample },       { "from_int", f->from_int }, { "to_int", f->to_int },
    };

    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (!members[i].present)
            report_wrong("%s is NULL, and has no default", members[i].name);
}

static void check_scheme_members(struct subject *s)
{
    if (!s->scheme->shape || !s->scheme->matrix)
        report_wrong("%s is NULL, and has no default", s->scheme->shape ? "matrix" : "shape");
    else if (s->scheme->size >= WITH_SIZE && !s->scheme->shape_with != !s->scheme->matrix_with)
        report_wrong("only one of shape_with and matrix_with is NULL");
}

bool identity_run(struct subject *s)
{
    report_check("abi", s->field ? check_field_abi : check_scheme_abi, s);
    if (report_found())
        return false;
    report_check("name", check_name, s);
    report_check("members", s->field ? check_field_members : check_scheme_members, s);
    return !report_found();
}
