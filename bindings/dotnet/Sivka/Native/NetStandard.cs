// What newer runtimes have in themselves. One public type of theirs is needed here under its own name. A program
// for netstandard2.0 finds it on a newer runtime too, because the other builds of this assembly forward it.
#if NET
using System.Runtime.CompilerServices;
using System.Security.Cryptography;

[assembly: TypeForwardedTo(typeof(AuthenticationTagMismatchException))]
#else
using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace System.Security.Cryptography
{
    /// <summary>A message that does not open: it was forged or damaged, or sealed otherwise.</summary>
    public sealed class AuthenticationTagMismatchException : CryptographicException
    {
        /// <summary>Makes an exception.</summary>
        public AuthenticationTagMismatchException()
        {
        }

        /// <summary>Makes an exception.</summary>
        /// <param name="message">What happened.</param>
        public AuthenticationTagMismatchException(string? message)
            : base(message)
        {
        }

        /// <summary>Makes an exception.</summary>
        /// <param name="message">What happened.</param>
        /// <param name="inner">What caused it.</param>
        public AuthenticationTagMismatchException(string? message, Exception? inner)
            : base(message, inner)
        {
        }
    }
}

namespace Sivka.Native
{
    internal static class NetStandard
    {
        extension(ArgumentNullException)
        {
            internal static void ThrowIfNull(
                [NotNull] object? argument,
                [CallerArgumentExpression(nameof(argument))] string? paramName = null)
            {
                if (argument is null)
                {
                    throw new ArgumentNullException(paramName);
                }
            }
        }

        extension(ObjectDisposedException)
        {
            internal static void ThrowIf([DoesNotReturnIf(true)] bool condition, object instance)
            {
                if (condition)
                {
                    throw new ObjectDisposedException(instance.GetType().FullName);
                }
            }
        }
    }
}

namespace System.Runtime.CompilerServices
{
    [AttributeUsage(AttributeTargets.Parameter)]
    internal sealed class CallerArgumentExpressionAttribute(string parameterName) : Attribute
    {
        public string ParameterName { get; } = parameterName;
    }
}

namespace System.Diagnostics.CodeAnalysis
{
    [AttributeUsage(AttributeTargets.Parameter)]
    internal sealed class NotNullAttribute : Attribute;

    [AttributeUsage(AttributeTargets.Parameter)]
    internal sealed class NotNullWhenAttribute(bool returnValue) : Attribute
    {
        public bool ReturnValue { get; } = returnValue;
    }

    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class DoesNotReturnAttribute : Attribute;

    [AttributeUsage(AttributeTargets.Parameter)]
    internal sealed class DoesNotReturnIfAttribute(bool parameterValue) : Attribute
    {
        public bool ParameterValue { get; } = parameterValue;
    }
}
#endif
