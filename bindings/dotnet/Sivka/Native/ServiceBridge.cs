using System;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Sivka.Native;

/// <summary>A key-management service, as the native library calls it: once, in the thread of the call.</summary>
internal sealed unsafe class ServiceBridge
{
    private readonly IKeyManagement _service;
    private readonly bool _encrypts;
    private readonly ServiceFunction _function;
    private ExceptionDispatchInfo? _failure;

    internal ServiceBridge(IKeyManagement service, bool encrypts)
    {
        (_service, _encrypts, _function) = (service, encrypts, OnCall);
        Function = Marshal.GetFunctionPointerForDelegate(_function);
    }

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    private delegate int ServiceFunction(
        nint context, byte* input, nuint inputLength, byte* aad, nuint aadLength, byte* output, nuint capacity,
        nuint* writtenLength);

    internal nint Function { get; }

    /// <summary>Throws what the service threw, or what the status says.</summary>
    internal void Check(int status)
    {
        GC.KeepAlive(_function);
        _failure?.Throw();
        Failure.Check(status);
    }

    private int OnCall(
        nint context, byte* input, nuint inputLength, byte* aad, nuint aadLength, byte* output, nuint capacity,
        nuint* writtenLength)
    {
        try
        {
            ReadOnlySpan<byte> given = new(input, (int)inputLength), data = new(aad, (int)aadLength);
            byte[] answer = (_encrypts ? _service.Encrypt(given, data) : _service.Decrypt(given, data))
                ?? throw new InvalidOperationException("The key-management service answered null.");
            *writtenLength = (nuint)answer.Length;
            if (*writtenLength <= capacity)
            {
                answer.AsSpan().CopyTo(new Span<byte>(output, (int)capacity));
            }
            if (!_encrypts)
            {
                answer.AsSpan().Clear();
            }
            return Status.Ok;
        }
        catch (Exception e)
        {
            _failure = ExceptionDispatchInfo.Capture(e);
            return Status.Service;
        }
    }
}
