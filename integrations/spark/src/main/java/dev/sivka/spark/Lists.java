package dev.sivka.spark;

import java.util.ArrayList;
import java.util.List;
import scala.collection.Seq;
import scala.collection.immutable.List$;

/** Lists of Java and of Scala, without the converters, which differ between Scala's lines. */
final class Lists {
    private Lists() {}

    static <T> scala.collection.immutable.List<T> toScala(List<? extends T> elements) {
        scala.collection.immutable.List<T> list = List$.MODULE$.empty();
        for (int i = elements.size() - 1; i >= 0; i--) {
            list = list.$colon$colon(elements.get(i));
        }
        return list;
    }

    static <T> List<T> ofScala(Seq<? extends T> elements) {
        List<T> list = new ArrayList<>();
        for (int i = 0; i < elements.length(); i++) {
            list.add(elements.apply(i));
        }
        return list;
    }
}
