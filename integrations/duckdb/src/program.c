/* A program whose standard output is the text of a key: it asks a key-management service, for example. */
#include "sivka_duckdb.h"

#ifdef _WIN32

int64_t run_program(const char *path, uint8_t *text, size_t capacity, const char **reason)
{
    (void)path, (void)text, (void)capacity;
    *reason = "cannot be run on Windows";
    return -1;
}

#else

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <crt_externs.h>
#define environ (*_NSGetEnviron())
#else
extern char **environ;
#endif

/* How long a program may take: DuckDB's interface cannot interrupt the statement that waits for it. */
#define SECONDS 20
#define LATE "did not end in time"

static int milliseconds_until(const struct timespec *end)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t left = (int64_t)(end->tv_sec - now.tv_sec) * 1000 + (end->tv_nsec - now.tv_nsec) / 1000000;
    return left > 0 ? (int)left : 0;
}

/* In a group of its own, so that what it started can be ended with it; without arguments, and nothing to read. */
static int start(const char *path, int output, pid_t *process)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    char *arguments[] = {(char *)path, NULL};
    int failed = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0) ||
                 posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO) ||
                 posix_spawn(process, path, &files, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

/* Until the program closes its output, or the buffer is full; -1 if that takes too long. */
static int64_t read_output(int output, const struct timespec *end, uint8_t *text, size_t capacity)
{
    int64_t len = 0;
    for (int64_t got = 1; got > 0 && (size_t)len < capacity;) {
        struct pollfd ready = {.fd = output, .events = POLLIN};
        int count = poll(&ready, 1, milliseconds_until(end));
        if (count == 0)
            return -1;
        got = count < 0 ? -1 : read(output, text + len, capacity - (size_t)len);
        if (got >= 0)
            len += got;
        else if (errno == EINTR)
            got = 1;
        else
            return -1;
    }
    return len;
}

/* Whether the program succeeded, and ended in its time. It is a zombie until then, so that its number
 * is that of no other group. */
static bool has_succeeded(pid_t process, const struct timespec *end, const char **reason)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(process, &status, WNOHANG)) == 0 && milliseconds_until(end) > 0)
        nanosleep(&pause, NULL);
    *reason = ended == 0 ? LATE : "failed";
    if (ended == 0) {
        kill(-process, SIGKILL);
        while (waitpid(process, &status, 0) < 0 && errno == EINTR)
            ;
    }
    return ended == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool make_pipe(int ends[2])
{
    if (pipe(ends) != 0)
        return false;
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

int64_t run_program(const char *path, uint8_t *text, size_t capacity, const char **reason)
{
    int ends[2] = {-1, -1};
    pid_t process;
    struct timespec end;
    *reason = "cannot be run";
    bool started = make_pipe(ends) && start(path, ends[1], &process) == 0;
    close(ends[1]);
    int64_t len = -1;
    if (started) {
        clock_gettime(CLOCK_MONOTONIC, &end);
        end.tv_sec += SECONDS;
        len = read_output(ends[0], &end, text, capacity);
        bool is_whole = len >= 0 && (size_t)len < capacity;
        /* Programs that it started may still have its output. */
        if (!is_whole)
            kill(-process, SIGKILL);
        bool succeeded = has_succeeded(process, &end, reason);
        if (is_whole && !succeeded)
            len = -1;
        else if (len < 0)
            *reason = LATE;
    }
    close(ends[0]);
    return len;
}

#endif
