using Xunit;

namespace Sivka.Tests;

public sealed class PublicInterfaceTests
{
    [Fact]
    public void NothingChangedUnseen() => PublicInterface.Compare(typeof(Aead).Assembly);
}
