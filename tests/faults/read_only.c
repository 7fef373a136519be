// Loaded before libc (LD_PRELOAD): while the file $READ_ONLY_IF is there, the disk below $READ_ONLY_DISK is read-only.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_below(char const* path) {
    char const* disk = getenv("READ_ONLY_DISK");
    char const* sign = getenv("READ_ONLY_IF");
    return disk && sign && strncmp(path, disk, strlen(disk)) == 0 && access(sign, F_OK) == 0;
}

static int is_refused(int file) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_below(path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define REFUSE(condition) \
    if (condition) {      \
        errno = EROFS;    \
        return -1;        \
    }
#define WRITER(name, offset)                                                       \
    ssize_t name(int file, void const* data, size_t size, offset place) {          \
        REFUSE(is_refused(file))                                                   \
        return NEXT(name)(file, data, size, place);                                \
    }
#define OPENER(name)                                                               \
    int name(char const* path, int flags, ...) {                                   \
        va_list rest;                                                              \
        va_start(rest, flags);                                                     \
        mode_t mode = va_arg(rest, mode_t);                                        \
        va_end(rest);                                                              \
        REFUSE((flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) && is_below(path)) \
        return NEXT(name)(path, flags, mode);                                      \
    }

WRITER(pwrite, off_t)
WRITER(pwrite64, off64_t)
OPENER(open)
OPENER(open64)

ssize_t write(int file, void const* data, size_t size) {
    REFUSE(is_refused(file))
    return NEXT(write)(file, data, size);
}

int ftruncate(int file, off_t size) {
    REFUSE(is_refused(file))
    return NEXT(ftruncate)(file, size);
}

int ftruncate64(int file, off64_t size) {
    REFUSE(is_refused(file))
    return NEXT(ftruncate64)(file, size);
}

int unlink(char const* path) {
    REFUSE(is_below(path))
    return NEXT(unlink)(path);
}
