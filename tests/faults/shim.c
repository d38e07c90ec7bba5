/* Preloaded into a process to be unkind to it, as the page that FAULTS_PAGE names says at that moment:
 *
 *   skew_ms  is added to the clock of the day (not to the monotonic one);
 *   room     is how many bytes may still be written to an append-only file before the disk is full; below 0: enough;
 *   synced   is, per inode of an append-only file, how long it was when the last completed sync began: what power
 *            that fails leaves of it.
 *
 * A store is not skewed, since its clock is the one that counts; FAULTS_STORE is set in its environment. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define SLOTS 500
struct page {
    int64_t skew_ms;
    int64_t room;
    struct { int64_t inode, size; } synced[SLOTS];
};

static struct page *page;
static int store;
static int (*real_clock_gettime)(clockid_t, struct timespec *);
static ssize_t (*real_write)(int, const void *, size_t);
static int (*real_fdatasync)(int);
static int (*real_fsync)(int);

__attribute__((constructor)) static void begin(void) {
    real_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
    real_write = dlsym(RTLD_NEXT, "write");
    real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
    real_fsync = dlsym(RTLD_NEXT, "fsync");
    store = getenv("FAULTS_STORE") != NULL;
    const char *name = getenv("FAULTS_PAGE");
    int fd = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0) return;
    void *found = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (found != MAP_FAILED) page = found;
}

int clock_gettime(clockid_t which, struct timespec *now) {
    int answer = real_clock_gettime(which, now);
    if (answer == 0 && page && !store && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) {
        int64_t ns = now->tv_nsec + (page->skew_ms % 1000) * 1000000;
        now->tv_sec += page->skew_ms / 1000;
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

ssize_t write(int fd, const void *what, size_t many) {
    if (page && store && page->room >= 0 && appended(fd)) {
        if (page->room == 0) { errno = ENOSPC; return -1; }
        if (many > (size_t)page->room) many = page->room;
        ssize_t done = real_write(fd, what, many);
        if (done > 0) page->room -= done;
        return done;
    }
    return real_write(fd, what, many);
}

static int synced(int fd, int (*real)(int)) {
    struct stat before;
    int watched = appended(fd) && fstat(fd, &before) == 0;
    int answer = real(fd);
    for (int slot = 0; answer == 0 && watched && slot < SLOTS; slot++) {
        int64_t free_slot = 0;
        if (page->synced[slot].inode == (int64_t)before.st_ino
            || __atomic_compare_exchange_n(&page->synced[slot].inode, &free_slot, (int64_t)before.st_ino, 0,
                                           __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
            || free_slot == (int64_t)before.st_ino) {
            page->synced[slot].size = before.st_size;
            break;
        }
    }
    return answer;
}

int fdatasync(int fd) { return synced(fd, real_fdatasync); }
int fsync(int fd) { return synced(fd, real_fsync); }
