package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The programs in the README and beside it compile, and print what it says. */
class ReadmeTest {
    /** A program, and the sentence after it. */
    private static final Pattern EXAMPLE =
            Pattern.compile("```java\n(.*?public class (\\w+) .*?)```\n\nIt prints `(.*?)`\\.\n", Pattern.DOTALL);

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "jce.md", "coming-from.md"})
    void examples(String page) throws Exception {
        String text = Files.readString(Path.of("..", page));
        Matcher example = EXAMPLE.matcher(text);
        int count = 0;
        while (example.find()) {
            String name = example.group(2);
            String output = Programs.run(folder.resolve(name), name, example.group(1));
            assertEquals(example.group(3), output.strip());
            count++;
        }
        assertNotEquals(0, count);
        assertEquals(count, text.split("```java\n", -1).length - 1, "a program without the sentence after it");
    }
}
