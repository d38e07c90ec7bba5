/* Preloaded into a process to be unkind to it, as the page that FAULTS_PAGE names says at that moment:
 *
 *   skew_ms  is added to the clock of the day (not to the monotonic one), store_ms to that of a store;
 *   room     is how many bytes may still be written to an append-only file before the disk is full; below 0: enough;
 *   synced   is, per inode of an append-only file, how long it was when the last completed sync began: what power
 *            that fails leaves of it.
 *
 * A store, whose clock is the one that counts, has a skew of its own; FAULTS_STORE is set in its environment.
 * The kernel is called directly: an allocator may ask for the time before any other library can be looked up. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SLOTS 500
struct page {
    int64_t skew_ms;
    int64_t room;
    int64_t store_ms;
    struct { int64_t inode, size; } synced[SLOTS];
};

static struct page *page;
static int store;
__attribute__((constructor)) static void begin(void) {
    store = getenv("FAULTS_STORE") != NULL;
    const char *name = getenv("FAULTS_PAGE");
    int fd = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *found = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (found != MAP_FAILED) page = found;
}

int clock_gettime(clockid_t which, struct timespec *now) {
    int answer = syscall(SYS_clock_gettime, which, now);
    if (answer == 0 && page && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) {
        int64_t skew_ms = store ? page->store_ms : page->skew_ms;
        int64_t ns = now->tv_nsec + (skew_ms % 1000) * 1000000;
        now->tv_sec += skew_ms / 1000;
        if (ns < 0) { ns += 1000000000; now->tv_sec -= 1; }
        if (ns >= 1000000000) { ns -= 1000000000; now->tv_sec += 1; }
        now->tv_nsec = ns;
    }
    return answer;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec found;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &found) != 0) return -1;
    now->tv_sec = found.tv_sec;
    now->tv_usec = found.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *where) {
    struct timespec found;
    if (clock_gettime(CLOCK_REALTIME, &found) != 0) return (time_t)-1;
    if (where) *where = found.tv_sec;
    return found.tv_sec;
}

/* Whether this is the file that a store appends to. */
static int appended(int fd) {
    char link[64], path[4096];
    if (!page || !store) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return strstr(path, ".incr.aof") != NULL || strstr(path, "appendonly.aof") == path + length - 14;
}

/* Notes how much of a file is safe; with `first` only where nothing is known of it yet. */
static void safe(const struct stat *file, int first) {
    for (int slot = 0; slot < SLOTS; slot++) {
        int64_t none = 0, inode = file->st_ino;
        int new = __atomic_compare_exchange_n(&page->synced[slot].inode, &none, inode, 0, __ATOMIC_SEQ_CST,
                                              __ATOMIC_SEQ_CST);
        if (!new && none != inode) continue;
        if (new || !first) page->synced[slot].size = file->st_size;
        return;
    }
}

ssize_t write(int fd, const void *what, size_t many) {
    struct stat before;
    if (!appended(fd) || fstat(fd, &before) != 0) return syscall(SYS_write, fd, what, many);
    safe(&before, 1); /* what was there before anything was written through here has been synced by whoever wrote it */
    if (page->room < 0) return syscall(SYS_write, fd, what, many);
    if (page->room == 0) { errno = ENOSPC; return -1; }
    if (many > (size_t)page->room) many = page->room;
    ssize_t done = syscall(SYS_write, fd, what, many);
    if (done > 0) page->room -= done;
    return done;
}

static int synced(int fd, long call) {
    struct stat before;
    int watched = appended(fd) && fstat(fd, &before) == 0;
    int answer = syscall(call, fd);
    if (answer == 0 && watched) safe(&before, 0);
    return answer;
}

int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }
int fsync(int fd) { return synced(fd, SYS_fsync); }
