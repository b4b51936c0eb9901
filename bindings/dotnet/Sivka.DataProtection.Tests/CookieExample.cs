using System.IO;
using System.Security.Claims;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.DataProtection;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Sivka.DataProtection;

internal static class CookieExample
{
    internal static WebApplication Build(string keyRing)
    {
        WebApplicationBuilder builder = WebApplication.CreateBuilder();
        builder.Services.AddDataProtection()
            .SetApplicationName("example")
            .PersistKeysToFileSystem(new DirectoryInfo(keyRing))
            .UseSivka();
        builder.Services.AddAuthentication("cookie").AddCookie("cookie");
        builder.Services.AddAuthorization();
        WebApplication app = builder.Build();
        app.MapGet("/login", (HttpContext context) => context.SignInAsync(
            new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "Alice")], "cookie"))));
        app.MapGet("/", (HttpContext context) => context.User.Identity?.Name ?? "nobody");
        return app;
    }
}
