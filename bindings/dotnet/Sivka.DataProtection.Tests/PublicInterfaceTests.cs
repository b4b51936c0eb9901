using Sivka.Tests;
using Xunit;

namespace Sivka.DataProtection.Tests;

public sealed class PublicInterfaceTests
{
    [Fact]
    public void NothingChangedUnseen() => PublicInterface.Compare(typeof(AesGcmSivEncryptorConfiguration).Assembly);
}
