package dev.sivka.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sivka.SivkaProvider;
import org.junit.jupiter.api.Test;

/** The provider says its version without loading the library, which has the same. */
class VersionTest {
    @Test
    void theProviderHasTheVersionOfTheLibrary() {
        assertEquals(Native.version(), new SivkaProvider().getVersionStr());
    }
}
