/* The one function of bcryptprimitives.dll that Rust's standard library asks for, which
   Wine 8 does not have. For tests in Wine alone. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG len); /* RtlGenRandom */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T len)
{
    return SystemFunction036(buffer, (ULONG)len);
}
