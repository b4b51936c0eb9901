import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes what Java and the shim say of {@code sivka.h} when the package is built: {@code
 * functions.h}, a table of functions that {@code call.c} calls; and the class {@code Header}, with
 * their places there, the constants, and where the fields of structures are.
 */
public final class WriteHeader {
    /** What Java has no use for. */
    private static final String UNUSED = "sivka_(kuznyechik_(ctr|omac)|salvage|keyring|\\w+_memory|file_reader_(of|wants|give))\\w*";
    private static final String FIELD = "(\\w+) ((?:\\*|const )*)(\\w+)(\\[\\w+\\])?;";

    /** Those that a function writes. */
    private static final Set<String> NUMBERS = Set.of("size_t", "uint32_t", "sivka_suite", "sivka_algorithm");

    private final String code;
    private final StringBuilder java = new StringBuilder("package dev.sivka.internal;\npublic final class Header {\n");
    private final StringBuilder table = new StringBuilder();
    private final StringBuilder stubs = new StringBuilder();

    private WriteHeader(String header) {
        code = header.replaceAll("(?s)/\\*.*?\\*/", "");
        MatchResult misuse = matcher(header, "(\\d+) to (\\d+): the call is wrong").results().findFirst().orElseThrow();
        constant("FIRST_MISUSE", misuse.group(1));
        constant("LAST_MISUSE", misuse.group(2));
    }

    /** Arguments: the header, and the folder for {@code functions.h} and Java's sources. */
    public static void main(String[] args) throws IOException {
        WriteHeader made = new WriteHeader(Files.readString(Path.of(args[0])).replace("\r\n", "\n"));
        made.constants();
        made.structures();
        made.functions();
        Path functions = Path.of(args[1], "functions.h");
        Path java = Path.of(args[1], "dev/sivka/internal/Header.java");
        Files.createDirectories(java.getParent());
        Files.writeString(functions, made.stubs + "static const function functions[] = {\n" + made.table + "};\n");
        Files.writeString(java, made.java + "}\n");
    }

    private static Matcher matcher(String text, String pattern) {
        return Pattern.compile(pattern, Pattern.MULTILINE).matcher(text);
    }

    private List<MatchResult> found(String pattern) {
        return matcher(code, pattern).results().toList();
    }

    private void constant(String name, Object value) {
        java.append("    public static final int ").append(name).append(" = ").append(value).append(";\n");
    }

    private void constants() {
        found("^ +SIVKA_(\\w+) = (\\d+),$").forEach(one -> constant(one.group(1), one.group(2)));
        found("^#define SIVKA_(\\w+) (\\d+|\\(1 << \\d+\\))$").forEach(one -> constant(one.group(1), one.group(2)));
    }

    /** Where each field is, and how many bytes the structure has, as C lays them out. */
    private void structures() {
        for (MatchResult structure : found("typedef struct \\{([^}]*)\\} (\\w+);")) {
            int end = 0;
            int most = 1;
            java.append("\n    public static final class ").append(structure.group(2)).append(" {\n");
            for (MatchResult field : matcher(structure.group(1), FIELD).results().toList()) {
                boolean isPointer = field.group(2).contains("*");
                int size = isPointer ? 8 : switch (field.group(1)) {
                    case "size_t", "uint64_t" -> 8;
                    case "uint8_t" -> 1;
                    default -> 4;
                };
                end = (end + size - 1) / size * size;
                most = Math.max(most, size);
                java.append("    ");
                constant(field.group(3), end);
                // The only array is a key id.
                end += field.group(4) == null ? size : 8;
            }
            java.append("    ");
            constant("SIZE", (end + most - 1) / most * most);
            java.append("    }\n");
        }
    }

    /** A parameter of a function: what it is, as a letter of {@code call.c}, and how C gets it. */
    private record Parameter(char kind, String name, String before, String given, String after) {}

    private void functions() {
        int number = 0;
        for (MatchResult one : found("^(?:SIVKA_MUST_USE )?(?:const )?(\\w+ \\*?)(sivka_\\w+)\\(([^()]*)\\);")) {
            List<Parameter> parameters = new ArrayList<>();
            for (String each : one.group(3).split(",\\s*")) {
                if (!each.equals("void")) {
                    parameters.add(parameter(each, parameters));
                }
            }
            if (!one.group(2).matches(UNUSED)) {
                constant(one.group(2), number++);
                function(one.group(1).strip(), one.group(2), parameters);
            }
        }
    }

    private static Parameter parameter(String declaration, List<Parameter> before) {
        MatchResult parts = matcher(declaration, "(const )?(\\w+) (\\**)(\\w+)$").results().findFirst().orElseThrow();
        String type = parts.group(2);
        String pointer = parts.group(3);
        String name = parts.group(4);
        String number = "a[" + before.size() + "].number";
        if (name.equals("progress_context")) {
            return new Parameter('c', name, "", "&a[" + (before.size() - 1) + "]", "");
        }
        if (type.equals("sivka_progress_function")) {
            return new Parameter('p', name, "", "a[" + before.size() + "].object != NULL ? tell : NULL", "");
        }
        if (pointer.equals("*") && Set.of("void", "char").contains(type)) {
            String given = "(void *)a[" + before.size() + "].region.bytes";
            return new Parameter(parts.group(1) == null ? 'w' : 'r', name, "", given, "");
        }
        if (parts.group(1) == null && (pointer.length() == 2 || pointer.length() == 1 && NUMBERS.contains(type))) {
            String made = "    " + type + " " + pointer.substring(1) + name + " = 0;\n";
            String kept = "    " + number + " = (int64_t)" + (pointer.length() == 2 ? "(uintptr_t)" : "") + name + ";\n";
            return new Parameter('o', name, made, "&" + name, kept);
        }
        if (!pointer.isEmpty()) {
            return new Parameter('h', name, "", "(void *)(uintptr_t)" + number, "");
        }
        Parameter last = before.isEmpty() ? null : before.get(before.size() - 1);
        boolean isLength = last != null && (last.kind == 'r' || last.kind == 'w')
                && (name.equals("capacity") || name.startsWith(last.name + "_"));
        boolean isLong = type.equals("size_t") || type.equals("uint64_t");
        return new Parameter(isLength ? 'l' : isLong ? 's' : 'u', name, "", "(" + type + ")" + number, "");
    }

    private void function(String type, String name, List<Parameter> parameters) {
        String call = name + parameters.stream().map(Parameter::given).collect(Collectors.joining(", ", "(", ");\n"));
        String result = type.contains("*") ? "(int64_t)(uintptr_t)" : "(int64_t)";
        stubs.append("static int64_t run_").append(name).append("(argument *a)\n{\n");
        parameters.forEach(one -> stubs.append(one.before));
        stubs.append("    int64_t result = ").append(type.equals("void") ? "0;\n    " : result).append(call);
        parameters.forEach(one -> stubs.append(one.after));
        stubs.append("    return result;\n}\n\n");
        String kinds = parameters.stream().map(one -> one.kind + one.name + "\\0").collect(Collectors.joining());
        table.append("    {run_").append(name).append(", ").append(type.equals("sivka_status"));
        table.append(", \"").append(kinds).append("\"},\n");
    }
}
