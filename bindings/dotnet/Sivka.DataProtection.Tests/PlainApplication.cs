using System.IO;
using System.Security.Claims;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;

/// <summary>The example without what it is the example of.</summary>
internal static class PlainApplication
{
    internal static WebApplication Build(string keyRing)
    {
        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.Services.AddDataProtection()
            .SetApplicationName("example")
            .PersistKeysToFileSystem(new DirectoryInfo(keyRing));
        builder.Services.AddAuthentication("cookie").AddCookie("cookie");
        builder.Services.AddAuthorization();
        WebApplication app = builder.Build();
        app.MapGet("/login", (HttpContext context) => context.SignInAsync(
            new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "Alice")], "cookie"))));
        app.MapGet("/", (HttpContext context) => context.User.Identity?.Name ?? "nobody");
        return app;
    }
}
