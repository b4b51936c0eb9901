/*
 * What CPython's headers want to know of a platform whose CPython is not here: as much as
 * its stable interface needs, for the 64-bit platforms of a release.
 */
#ifndef Py_PYCONFIG_H
#define Py_PYCONFIG_H

#define HAVE_STDDEF_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_WCHAR_H 1
#define STDC_HEADERS 1

#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_UINTPTR_T 8
#define SIZEOF_VOID_P 8

#ifdef _WIN32
#define MS_WINDOWS 1
#define MS_WIN64 1
#define HAVE_DECLSPEC_DLL 1
#define Py_ENABLE_SHARED 1
#define SIZEOF_LONG 4
#define SIZEOF_PID_T 8
#define SIZEOF_WCHAR_T 2
#else
#define HAVE_SYS_TIME_H 1
#define HAVE_UNISTD_H 1
#define SIZEOF_LONG 8
#define SIZEOF_PID_T 4
#define SIZEOF_WCHAR_T 4
#endif

#endif
