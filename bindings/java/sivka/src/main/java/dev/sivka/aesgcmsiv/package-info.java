/** The names of the library {@code com.codahale:aes-gcm-siv}, for programs that use it. */
package dev.sivka.aesgcmsiv;
