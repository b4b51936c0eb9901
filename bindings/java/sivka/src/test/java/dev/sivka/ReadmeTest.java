package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs in the README compile, and print what it says. */
class ReadmeTest {
    /** A program, and the sentence after it. */
    private static final Pattern EXAMPLE =
            Pattern.compile("```java\n(.*?public class (\\w+) .*?)```\n\nIt prints `(.*?)`\\.\n", Pattern.DOTALL);

    @TempDir Path folder;

    @Test
    void examples() throws Exception {
        String readme = Files.readString(Path.of("../README.md"));
        Matcher example = EXAMPLE.matcher(readme);
        int count = 0;
        while (example.find()) {
            String name = example.group(2);
            String output = Programs.compileAndRun(folder.resolve(name), name, example.group(1)).output();
            assertEquals(example.group(3), output.strip());
            count++;
        }
        assertEquals(count, readme.split("```java\n", -1).length - 1, "a program without the sentence after it");
    }
}
