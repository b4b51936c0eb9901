/* Runs a program that is a shared object, and closes it. The library stays, and the thread that ran it ends well. */
#include "check.h"

#include <dlfcn.h>
#include <pthread.h>

static void *work(void *arguments)
{
    char **argv = arguments;
    int (*program)(int, char **) = NULL;
    void *object = dlopen(argv[1], RTLD_NOW);

    CHECK(object != NULL);
    *(void **)&program = dlsym(object, "program");
    CHECK(program(2, argv + 1) == 0 && dlclose(object) == 0);
    CHECK(dlopen(argv[3], RTLD_NOW | RTLD_NOLOAD) != NULL);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    CHECK(argc == 4 && dlopen(argv[3], RTLD_NOW | RTLD_NOLOAD) == NULL);
    CHECK(pthread_create(&thread, NULL, work, argv) == 0 && pthread_join(thread, NULL) == 0);
    return 0;
}
