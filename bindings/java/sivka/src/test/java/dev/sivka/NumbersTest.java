package dev.sivka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.sivka.internal.NativeFileReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every number that a public method takes: one that it cannot mean is refused, and nothing has
 * changed. The methods are found by reflection, so that a new number needs a case here.
 */
class NumbersTest {
    /** Less than 0, and what other languages' types wrap to a small number. */
    private static final long[] NUMBERS = {
        Long.MIN_VALUE, Integer.MIN_VALUE, -1, Integer.MAX_VALUE, 1L << 31, (1L << 32) + 64, 1L << 48, Long.MAX_VALUE - 4
    };

    /** Those whose numbers a caller is told, and seldom makes. */
    private static final Set<Class<?>> TOLD =
            Set.of(KeySlot.class, KeysetKey.class, KeysetInfo.class, Progress.class);

    private interface Call {
        void with(long number) throws Exception;
    }

    private interface State {
        Object now() throws Exception;
    }

    /** A number: the greatest that is no mistake, what others throw, what stays as it is then, and the call. */
    private record Case(long most, Class<? extends Exception> refusal, State state, Call call) {}

    @TempDir
    Path folder;

    private final Map<String, Case> cases = new HashMap<>();
    private final FileKeys keys = new FileKeys();
    private final byte[] bytes = Keys.paint(100, 1);

    private void add(String name, long most, Class<? extends Exception> refusal, State state, Call call) {
        assertEquals(null, cases.put(name, new Case(most, refusal, state, call)), name);
    }

    private void addIllegal(String name, State state, Call call) {
        add(name, -1, IllegalArgumentException.class, state, call);
    }

    /** A part of an array: two numbers, one after the other. */
    private void addPart(String name, int at, PartCall call) {
        State state = () -> Arrays.hashCode(bytes);
        add(name + " " + at, -1, IndexOutOfBoundsException.class, state, number -> call.with((int) number, 10));
        add(name + " " + (at + 1), -1, IndexOutOfBoundsException.class, state, number -> call.with(10, (int) number));
    }

    private interface PartCall {
        void with(int offset, int length) throws Exception;
    }

    /** Offsets: the second number of an array. */
    private void addOffsets(String name, OffsetsCall call) {
        addIllegal(name, () -> Arrays.hashCode(bytes), number -> call.with(new int[] {0, (int) number, 100}));
    }

    private interface OffsetsCall {
        void with(int[] offsets) throws Exception;
    }

    /** What a passphrase costs in a file that is sealed now. */
    private List<KeySlot> costs() throws IOException {
        Path plain = folder.resolve("plain");
        Path sealed = Files.createTempFile(folder, "costs", "");
        Files.write(plain, bytes);
        SealedFiles.seal(plain, sealed, keys, FileOption.REPLACE_EXISTING);
        return SealedFiles.inspect(sealed).slots();
    }

    private String opens(Path sealed) throws IOException {
        try {
            SealedFiles.verify(sealed, keys);
            return "opens";
        } catch (SealedFileException e) {
            return e.reason().toString();
        }
    }

    private void addFiles() throws IOException {
        keys.addPassphrase("correct horse".toCharArray()).setCost(64, 2, 3);
        Path sealed = folder.resolve("sealed");
        Path plain = Files.write(folder.resolve("plain"), bytes);
        SealedFiles.seal(plain, sealed, keys);
        add("FileKeys.setCost 0", Integer.MAX_VALUE, IllegalArgumentException.class, this::costs,
                number -> keys.setCost((int) number, 2, 3));
        add("FileKeys.setCost 1", Integer.MAX_VALUE, IllegalArgumentException.class, this::costs,
                number -> keys.setCost(64, (int) number, 3));
        addIllegal("FileKeys.setCost 2", this::costs, number -> keys.setCost(64, 2, (int) number));
        keys.setMaxCost(64, 1);
        add("FileKeys.setMaxCost 0", Integer.MAX_VALUE, IllegalArgumentException.class, () -> opens(sealed),
                number -> keys.setMaxCost((int) number, 16));
        add("FileKeys.setMaxCost 1", Integer.MAX_VALUE, IllegalArgumentException.class, () -> opens(sealed),
                number -> keys.setMaxCost(1 << 20, (int) number));
        FileKeys roomy = new FileKeys();
        add("FileKeys.setRoom 0", Integer.MAX_VALUE, IllegalArgumentException.class, () -> opens(sealed),
                number -> roomy.setRoom((int) number));
        FileKeys opening = new FileKeys().addPassphrase("correct horse".toCharArray());
        FileKeys other = new FileKeys().addPassphrase("battery".toCharArray()).setCost(64, 1, 1);
        State file = () -> Arrays.hashCode(Files.readAllBytes(sealed));
        addIllegal("SealedFiles.removeSlot 2", file,
                number -> SealedFiles.removeSlot(sealed, opening, (int) number));
        addIllegal("SealedFiles.replaceSlot 2", file,
                number -> SealedFiles.replaceSlot(sealed, opening, (int) number, other));

        SeekableByteChannel channel = SealedFiles.newByteChannel(sealed, opening);
        add("NativeFileReader.position 0", Long.MAX_VALUE, IllegalArgumentException.class, channel::position,
                channel::position);
        add("NativeFileReader.truncate 0", -1, NonWritableChannelException.class, channel::size, channel::truncate);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        FileKeys file1 = new FileKeys().addKeyFile(FileKeys.generateKeyFile("a"));
        SealingOutputStream stream = SealedStreams.newOutputStream(out, file1);
        addPart("SealingOutputStream.write", 1, (offset, length) -> stream.write(bytes, offset, length));
    }

    private void addMessages() {
        byte[] none = {};
        AesGcmSiv with = new AesGcmSiv(new byte[32]);
        XChaCha20Blake2bSiv siv = new XChaCha20Blake2bSiv(new byte[32]);
        State state = () -> Arrays.hashCode(bytes);
        byte[] nonce = new byte[12];
        byte[] tag16 = new byte[16];
        byte[] tag32 = new byte[32];
        addPart("Key.sealInPlace", 2, (o, l) -> with.sealInPlace(nonce, bytes, o, l, none, tag16));
        addPart("Key.openInPlace", 2, (o, l) -> with.openInPlace(nonce, bytes, o, l, none, tag16));
        byte[] nonces = new byte[24];
        byte[] tags = new byte[64];
        int[] offsets = {0, 50, 100};
        addOffsets("Key.sealBatchInPlace 2", o -> with.sealBatchInPlace(nonces, bytes, o, none, null, tag32));
        addOffsets("Key.openBatchInPlace 2", o -> with.openBatchInPlace(nonces, bytes, o, none, null, tag32));
        addOffsets("Key.sealBatchInPlace 4",
                o -> with.sealBatchInPlace(nonces, bytes, offsets, tag32, o, tag32.clone()));
        addOffsets("Key.openBatchInPlace 4",
                o -> with.openBatchInPlace(nonces, bytes, offsets, tag32, o, tag32.clone()));
        Column column = new Column(bytes, offsets);
        addOffsets("Aead.sealColumn 2", o -> with.sealColumn(column, tag32, o));
        addOffsets("Aead.openColumn 2", o -> with.openColumn(column, tag32, o));
        addOffsets("Column. 1", o -> with.sealColumn(new Column(bytes, o), none, null));
        add("Column.isNull 0", -1, IndexOutOfBoundsException.class, state, number -> column.isNull((int) number));
        addIllegal("AesGcmSiv.generateKey 0", state, number -> AesGcmSiv.generateKey((int) number));
        addIllegal("AesSiv.generateKey 0", state, number -> AesSiv.generateKey((int) number));
    }

    private void addBlocks() {
        Kuznyechik blocks = new Kuznyechik(new byte[32]);
        addPart("Kuznyechik.encryptBlocks", 1, (o, l) -> blocks.encryptBlocks(bytes, o, l));
        addPart("Kuznyechik.decryptBlocks", 1, (o, l) -> blocks.decryptBlocks(bytes, o, l));
    }

    private void addKeysets() {
        Keyset keyset = Keyset.generate("AES256_GCM_SIV");
        Map<String, Call> changes =
                Map.of(
                        "promote", keyset::promote,
                        "enable", keyset::enable,
                        "disable", keyset::disable,
                        "destroy", keyset::destroy,
                        "remove", keyset::remove);
        changes.forEach((name, call) -> addIllegal("Keyset." + name + " 0", keyset::info, call));
    }

    @Test
    void everyNumberIsChecked() throws Exception {
        addFiles();
        addMessages();
        addBlocks();
        addKeysets();
        Set<String> missing = new TreeSet<>();
        for (Class<?> type : publicTypes()) {
            for (Executable method : methods(type)) {
                Class<?>[] parameters = method.getParameterTypes();
                for (int i = 0; i < parameters.length; i++) {
                    String what = method instanceof Constructor ? "" : method.getName();
                    String name = type.getSimpleName() + "." + what + " " + i;
                    boolean isWide = parameters[i] == long.class;
                    if (isWide || parameters[i] == int.class || parameters[i] == int[].class) {
                        Case found = cases.get(name);
                        if (found == null) {
                            missing.add(name + " of " + method);
                        } else {
                            check(name, isWide, found);
                        }
                    } else {
                        assertTrue(!isNumber(parameters[i]), () -> "another type of number: " + method);
                    }
                }
            }
        }
        assertEquals(Set.of(), missing, "no case here");
    }

    private static void check(String name, boolean isWide, Case found) throws Exception {
        Object before = found.state.now();
        int refused = 0;
        for (long number : NUMBERS) {
            if ((isWide || number == (int) number) && (number < 0 || number > found.most)) {
                assertThrows(found.refusal, () -> found.call.with(number), () -> name + ": " + number);
                assertEquals(before, found.state.now(), () -> name + ": " + number);
                refused++;
            }
        }
        assertTrue(refused >= 2, name);
    }

    private static boolean isNumber(Class<?> type) {
        Class<?> element = type.isArray() ? type.getComponentType() : type;
        return Number.class.isAssignableFrom(element)
                || element == short.class
                || element == float.class
                || element == double.class
                || type == long[].class;
    }

    /** What is declared in a type and is not for the compiler, nor a byte as Java's streams have it. */
    private static List<Executable> methods(Class<?> type) {
        List<Executable> all = new ArrayList<>();
        Collections.addAll(all, type.getDeclaredConstructors());
        Collections.addAll(all, type.getDeclaredMethods());
        all.removeIf(method -> !Modifier.isPublic(method.getModifiers()) || method.isSynthetic());
        all.removeIf(method -> method.getName().equals("write") && method.getParameterCount() == 1);
        return all;
    }

    /** All that programs see, and the channel that one of them gives. */
    private static List<Class<?>> publicTypes() throws Exception {
        Path root = Path.of(Key.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<Class<?>> types = new ArrayList<>(List.of(NativeFileReader.class));
        for (String name : List.of("dev/sivka", "dev/sivka/aesgcmsiv")) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(root.resolve(name), "*.class")) {
                for (Path file : files) {
                    String simple = file.getFileName().toString().replace(".class", "");
                    if (!simple.equals("package-info")) {
                        types.add(Class.forName(name.replace('/', '.') + "." + simple));
                    }
                }
            }
        }
        types.removeIf(type -> !Modifier.isPublic(type.getModifiers()) || TOLD.contains(type));
        assertTrue(types.size() > 25, types::toString);
        return types;
    }
}
