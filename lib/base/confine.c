#include "base/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif

/* System calls of x32, whose numbers the list does not have. */
#define X32 0x40000000

void confine_memory(void)
{
    struct rlimit none = { 0 };

    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0);
}

#ifdef ARCHITECTURE

/* Not every architecture has all of them. */
static const unsigned forbidden[] = {
    SYS_execve,
    SYS_execveat,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
    SYS_kill,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_pidfd_send_signal,
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_io_uring_setup, /* does the work of other calls */
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_kcmp,
    SYS_perf_event_open,
    SYS_bpf,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fspick,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_mount_setattr,
    SYS_unshare,
    SYS_setns,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_personality,
    SYS_setuid,
    SYS_setgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setgroups,
    SYS_capset,
    SYS_open_by_handle_at,
/* Landlock does not forbid these */
#ifdef SYS_chmod
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
#endif
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_truncate,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
};

#define N_FORBIDDEN (sizeof forbidden / sizeof *forbidden)

#define LOAD(member)                                                                               \
    (struct sock_filter) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
/* If the condition is false, the next instruction is skipped. */
#define IF(condition, value)                                                                       \
    (struct sock_filter) BPF_JUMP(BPF_JMP | (condition) | BPF_K, (value), 0, 1)
#define UNLESS(condition, value)                                                                   \
    (struct sock_filter) BPF_JUMP(BPF_JMP | (condition) | BPF_K, (value), 1, 0)
#define SKIP_UNLESS(value, n)                                                                      \
    (struct sock_filter) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (n))
#define RETURN(action) (struct sock_filter) BPF_STMT(BPF_RET | BPF_K, (action))
#define REFUSE(cause)  RETURN(SECCOMP_RET_ERRNO | (cause))

void confine_calls(void)
{
    struct sock_filter code[2 * N_FORBIDDEN + 32];
    struct sock_fprog program = { .filter = code };
    size_t n = 0;

    code[n++] = LOAD(arch);
    code[n++] = UNLESS(BPF_JEQ, ARCHITECTURE);
    code[n++] = RETURN(SECCOMP_RET_KILL_PROCESS);
    code[n++] = LOAD(nr);
    code[n++] = IF(BPF_JGE, X32);
    code[n++] = REFUSE(ENOSYS);
    for (size_t i = 0; i < N_FORBIDDEN; i++) {
        code[n++] = IF(BPF_JEQ, forbidden[i]);
        code[n++] = REFUSE(EPERM);
    }
    /* its flags cannot be examined; the C library then uses clone */
    code[n++] = IF(BPF_JEQ, SYS_clone3);
    code[n++] = REFUSE(ENOSYS);
    code[n++] = SKIP_UNLESS(SYS_clone, 4);
    code[n++] = LOAD(args[0]);
    code[n++] = UNLESS(BPF_JSET, CLONE_THREAD);
    code[n++] = REFUSE(EPERM);
    code[n++] = RETURN(SECCOMP_RET_ALLOW);
    code[n++] = SKIP_UNLESS(SYS_ioctl, 5);
    code[n++] = LOAD(args[1]);
    code[n++] = IF(BPF_JEQ, TIOCSTI);
    code[n++] = REFUSE(EPERM);
    code[n++] = IF(BPF_JEQ, TIOCLINUX);
    code[n++] = REFUSE(EPERM);
    code[n++] = RETURN(SECCOMP_RET_ALLOW);
    program.len = (unsigned short)n;
    /* on older kernels, a filter without SPEC_ALLOW makes the whole process slower */
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}

#else

void confine_calls(void)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

#endif

/* The rights of the first version of Landlock that change something. REFER, of the second, is
 * always refused: no command renames or links files between directories. */
#define MAKING                                                                                     \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |   \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR)
#define HANDLED                                                                                    \
    (MAKING | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR |                          \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | \
     LANDLOCK_ACCESS_FS_MAKE_SYM)

/* Opens the directory, or the nearest existing one above it. */
static int open_directory(const char *path)
{
    char *copy = strdup(path), *at = copy;
    int fd = -1;

    while (at && (fd = open(at, O_PATH | O_DIRECTORY | O_CLOEXEC)) < 0 && errno == ENOENT &&
           strcmp(at, ".") && strcmp(at, "/"))
        at = dirname(at);
    free(copy);
    return fd;
}

static int allow(int rules, const char *path, uint64_t access)
{
    struct landlock_path_beneath_attr rule = { .allowed_access = access,
                                               .parent_fd = open_directory(path) };
    long status;

    if (rule.parent_fd < 0)
        return -1;
    status = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
    return status ? -1 : 0;
}

void confine_files(const char *const *directories, size_t n)
{
    struct landlock_ruleset_attr attr = { .handled_access_fs = HANDLED };
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
    int status;

    if (rules < 0)
        return;
    status = allow(rules, "/dev", LANDLOCK_ACCESS_FS_WRITE_FILE);
    for (size_t i = 0; i < n && status == 0; i++)
        if (directories[i])
            status = allow(rules, directories[i], MAKING);
    if (status == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
}
