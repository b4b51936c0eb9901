package dev.sivka.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the statuses here with those of the C header. */
class StatusTest {
    @Test
    void numbersAreThoseOfTheHeader() throws Exception {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("ffi/include/sivka.h"))) {
            root = root.getParent();
        }
        Map<String, Integer> header = new HashMap<>();
        Matcher line =
                Pattern.compile("#define SIVKA_(ERROR_)?(\\w+) (\\d+)\n")
                        .matcher(Files.readString(root.resolve("ffi/include/sivka.h")));
        while (line.find()) {
            header.put(line.group(2), Integer.valueOf(line.group(3)));
        }
        int compared = 0;
        for (Field field : Status.class.getDeclaredFields()) {
            assertEquals(header.get(field.getName()), field.getInt(null), field.getName());
            compared++;
        }
        assertEquals(19, compared);
        assertTrue(Status.isMisuse(header.get("NULL")) && Status.isMisuse(header.get("REFUSED")));
    }
}
