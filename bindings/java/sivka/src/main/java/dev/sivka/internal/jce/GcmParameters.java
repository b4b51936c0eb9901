package dev.sivka.internal.jce;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.AlgorithmParametersSpi;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.InvalidParameterSpecException;

/**
 * The platform's parameters of GCM under our provider's name, where {@code SealedObject.getObject}
 * looks for those of a cipher.
 */
public final class GcmParameters extends AlgorithmParametersSpi {
    private final AlgorithmParameters platforms;

    /**
     * Makes them.
     *
     * @param ours the name of our provider, which is not asked
     */
    public GcmParameters(String ours) throws NoSuchAlgorithmException {
        platforms = AlgorithmParameters.getInstance("GCM", platform(ours));
    }

    private static Provider platform(String ours) throws NoSuchAlgorithmException {
        for (Provider provider : Security.getProviders()) {
            boolean has = provider.getService("AlgorithmParameters", "GCM") != null;
            if (has && !provider.getName().equals(ours)) {
                return provider;
            }
        }
        throw new NoSuchAlgorithmException("no other provider has parameters of GCM");
    }

    @Override
    protected void engineInit(AlgorithmParameterSpec spec) throws InvalidParameterSpecException {
        platforms.init(spec);
    }

    @Override
    protected void engineInit(byte[] encoded) throws IOException {
        platforms.init(encoded);
    }

    @Override
    protected void engineInit(byte[] encoded, String format) throws IOException {
        platforms.init(encoded, format);
    }

    @Override
    protected <T extends AlgorithmParameterSpec> T engineGetParameterSpec(Class<T> spec)
            throws InvalidParameterSpecException {
        return platforms.getParameterSpec(spec);
    }

    @Override
    protected byte[] engineGetEncoded() throws IOException {
        return platforms.getEncoded();
    }

    @Override
    protected byte[] engineGetEncoded(String format) throws IOException {
        return platforms.getEncoded(format);
    }

    @Override
    protected String engineToString() {
        return platforms.toString();
    }
}
