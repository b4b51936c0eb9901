package dev.sivka.jce;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a caller of an AEAD cipher may do, and what it then sees, as a line of text: sizes,
 * exceptions, and what is in which buffer. Nothing in here knows whose cipher it is.
 */
interface Scenario {
    /** Lengths in bytes: libraries take other ways for long messages than for short ones. */
    int SHORT = 40;
    int LONG = 40_000;

    Object play(AeadCipher aead) throws Exception;

    /** What the caller saw; an exception that reaches it is named by its class. */
    static String tell(Scenario scenario, AeadCipher aead) {
        return seen(() -> scenario.play(aead));
    }

    /** The same for a part of a scenario that goes on afterwards. */
    static String seen(Part part) {
        try {
            return String.valueOf(part.run());
        } catch (Exception e) {
            return e.getClass().getSimpleName();
        }
    }

    interface Part {
        Object run() throws Exception;
    }

    /** All scenarios by their names. */
    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new LinkedHashMap<>();
        InitScenarios.initialization(all);
        InitScenarios.reuse(all);
        PieceScenarios.outputSizes(all);
        PieceScenarios.additionalData(all);
        PieceScenarios.pieces(all);
        for (int n : new int[] {SHORT, LONG}) {
            ArrayScenarios.outputArrays(all, n);
            ArrayScenarios.forgeries(all, n);
            BufferScenarios.byteBuffers(all, n);
        }
        KeyAndStreamScenarios.wrapping(all);
        KeyAndStreamScenarios.sealedObjects(all);
        KeyAndStreamScenarios.streams(all);
        return all;
    }

    /** The end of a scenario's name that tells the length. */
    static String of(int n) {
        return n == SHORT ? "" : ", long";
    }

    static String describe(byte[] bytes) {
        return bytes == null ? "null" : bytes.length + " bytes";
    }

    /** A key as a hardware store has them: without an encoding. */
    final class HiddenKey implements javax.crypto.SecretKey {
        private static final long serialVersionUID = 1;

        @Override
        public String getAlgorithm() {
            return "AES";
        }

        @Override
        public String getFormat() {
            return null;
        }

        @Override
        public byte[] getEncoded() {
            return null;
        }
    }
}
