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

    private interface PartCall {
        void with(int offset, int length) throws Exception;
    }

    private interface OffsetsCall {
        void with(int[] offsets) throws Exception;
    }

    /** A number: the greatest that is no mistake, what others throw, and the call. */
    private record Case(long most, Class<? extends Exception> refusal, Call call) {}

    @TempDir
    Path folder;

    private final Map<String, Case> cases = new HashMap<>();
    private final FileKeys keys = new FileKeys().addPassphrase("correct horse".toCharArray()).setCost(64, 2, 3);
    private final byte[] bytes = Keys.paint(100, 1);
    private Path sealed;
    private Keyset keyset;

    private void add(String name, long most, Class<? extends Exception> refusal, Call call) {
        assertEquals(null, cases.put(name, new Case(most, refusal, call)), name);
    }

    private void addIllegal(String name, Call call) {
        add(name, -1, IllegalArgumentException.class, call);
    }

    /** A part of an array: two numbers, one after the other. */
    private void addPart(String name, int at, PartCall call) {
        add(name + " " + at, -1, IndexOutOfBoundsException.class, number -> call.with((int) number, 10));
        add(name + " " + (at + 1), -1, IndexOutOfBoundsException.class, number -> call.with(10, (int) number));
    }

    /** Offsets: the second number of an array. */
    private void addOffsets(String name, OffsetsCall call) {
        addIllegal(name, number -> call.with(new int[] {0, (int) number, 100}));
    }

    /** What no refused call changes: the arrays, the file, what a new one costs, and the keyset. */
    private List<Object> state() throws Exception {
        Path plain = folder.resolve("plain");
        SealedFiles.seal(plain, folder.resolve("costs"), keys, FileOption.REPLACE_EXISTING);
        return List.of(
                Arrays.hashCode(bytes), Arrays.hashCode(Files.readAllBytes(sealed)), keyset.info(),
                SealedFiles.inspect(folder.resolve("costs")).slots());
    }

    private void addFiles() throws IOException {
        Path plain = Files.write(folder.resolve("plain"), bytes);
        sealed = folder.resolve("sealed");
        SealedFiles.seal(plain, sealed, keys);
        long any = Integer.MAX_VALUE;
        Class<IllegalArgumentException> illegal = IllegalArgumentException.class;
        add("FileKeys.setCost 0", any, illegal, number -> keys.setCost((int) number, 2, 3));
        add("FileKeys.setCost 1", any, illegal, number -> keys.setCost(64, (int) number, 3));
        addIllegal("FileKeys.setCost 2", number -> keys.setCost(64, 2, (int) number));
        add("FileKeys.setMaxCost 0", any, illegal, number -> keys.setMaxCost((int) number, 16));
        add("FileKeys.setMaxCost 1", any, illegal, number -> keys.setMaxCost(1 << 20, (int) number));
        add("FileKeys.setRoom 0", any, illegal, number -> keys.setRoom((int) number));
        FileKeys other = new FileKeys().addPassphrase("battery".toCharArray()).setCost(64, 1, 1);
        addIllegal("SealedFiles.removeSlot 2", number -> SealedFiles.removeSlot(sealed, keys, (int) number));
        addIllegal("SealedFiles.replaceSlot 2", number -> SealedFiles.replaceSlot(sealed, keys, (int) number, other));
        SeekableByteChannel channel = SealedFiles.newByteChannel(sealed, keys);
        add("NativeFileReader.position 0", Long.MAX_VALUE, illegal, channel::position);
        add("NativeFileReader.truncate 0", -1, NonWritableChannelException.class, channel::truncate);
        SealingOutputStream stream = SealedStreams.newOutputStream(new ByteArrayOutputStream(), keys);
        addPart("SealingOutputStream.write", 1, (offset, length) -> stream.write(bytes, offset, length));
    }

    private void addMessages() {
        AesGcmSiv with = new AesGcmSiv(new byte[32]);
        byte[] none = {};
        byte[] nonce = new byte[12];
        byte[] tag = new byte[16];
        addPart("Key.sealInPlace", 2, (o, l) -> with.sealInPlace(nonce, bytes, o, l, none, tag));
        addPart("Key.openInPlace", 2, (o, l) -> with.openInPlace(nonce, bytes, o, l, none, tag));
        byte[] nonces = new byte[24];
        byte[] tags = new byte[32];
        byte[] data = new byte[32];
        int[] offsets = {0, 50, 100};
        addOffsets("Key.sealBatchInPlace 2", o -> with.sealBatchInPlace(nonces, bytes, o, none, null, tags));
        addOffsets("Key.openBatchInPlace 2", o -> with.openBatchInPlace(nonces, bytes, o, none, null, tags));
        addOffsets("Key.sealBatchInPlace 4", o -> with.sealBatchInPlace(nonces, bytes, offsets, data, o, tags));
        addOffsets("Key.openBatchInPlace 4", o -> with.openBatchInPlace(nonces, bytes, offsets, data, o, tags));
        Column column = new Column(bytes, offsets);
        addOffsets("Aead.sealColumn 2", o -> with.sealColumn(column, data, o));
        addOffsets("Aead.openColumn 2", o -> with.openColumn(column, data, o));
        addOffsets("Column. 1", o -> with.sealColumn(new Column(bytes, o), none, null));
        add("Column.isNull 0", -1, IndexOutOfBoundsException.class, number -> column.isNull((int) number));
        addIllegal("AesGcmSiv.generateKey 0", number -> AesGcmSiv.generateKey((int) number));
        addIllegal("AesSiv.generateKey 0", number -> AesSiv.generateKey((int) number));
        Kuznyechik blocks = new Kuznyechik(new byte[32]);
        addPart("Kuznyechik.encryptBlocks", 1, (o, l) -> blocks.encryptBlocks(bytes, o, l));
        addPart("Kuznyechik.decryptBlocks", 1, (o, l) -> blocks.decryptBlocks(bytes, o, l));
    }

    private void addKeysets() {
        keyset = Keyset.generate("AES256_GCM_SIV");
        addIllegal("Keyset.promote 0", keyset::promote);
        addIllegal("Keyset.enable 0", keyset::enable);
        addIllegal("Keyset.disable 0", keyset::disable);
        addIllegal("Keyset.destroy 0", keyset::destroy);
        addIllegal("Keyset.remove 0", keyset::remove);
    }

    @Test
    void everyNumberIsChecked() throws Exception {
        addFiles();
        addMessages();
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

    private void check(String name, boolean isWide, Case found) throws Exception {
        Object before = state();
        int refused = 0;
        for (long number : NUMBERS) {
            if ((isWide || number == (int) number) && (number < 0 || number > found.most)) {
                assertThrows(found.refusal, () -> found.call.with(number), () -> name + ": " + number);
                assertEquals(before, state(), () -> name + ": " + number);
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
