package dev.sivka.spark;

import dev.sivka.Column;
import dev.sivka.OpenedColumn;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.metric.SQLMetric;

/** The rows of one partition, with the results of calls beside them, some rows at a time. */
final class BatchIterator implements Iterator<InternalRow> {
    /** So many bytes end a batch, of values and of the rows beside them: one long row is a batch. */
    private static final long BATCH_BYTES = 256 << 10;

    /** Where a value is in a row, and whether it is text. */
    record Place(int at, boolean isText) implements Serializable {}

    /**
     * A call.
     *
     * @param value what it is given
     * @param context the context of all rows, or null
     * @param contextOfEach where a context of each row is, if there is none of all
     */
    record Call(Operation operation, Place value, byte[] context, Place contextOfEach) implements Serializable {}

    /**
     * What becomes of the rows below.
     *
     * @param columns theirs
     * @param kept those of them that are given on
     * @param schema the kept ones, and the results of calls
     * @param outputs what is given, out of the schema
     */
    record Shape(
            scala.collection.immutable.List<Attribute> columns,
            scala.collection.immutable.List<Expression> kept,
            scala.collection.immutable.List<Attribute> schema,
            scala.collection.immutable.List<Expression> outputs)
            implements Serializable {}

    /** What the UI shows of the operator. */
    record Metrics(SQLMetric outputRows, SQLMetric dataSize, SQLMetric notOpened, SQLMetric peakMemory)
            implements Serializable {}

    private final Iterator<InternalRow> in;
    private final Task[] tasks;
    private final UnsafeProjection kept;
    private final UnsafeProjection projection;

    private final BatchMemory memory;
    private final Metrics metrics;

    private final int batchRows;
    private final InternalRow[] rows;
    private long rowBytes;
    private int count;
    private int next;

    private final JoinedRow joined = new JoinedRow();
    private final GenericInternalRow added;

    BatchIterator(Iterator<InternalRow> in, List<Call> calls, Shape shape, int batchRows, Metrics metrics) {
        this.in = in;
        this.batchRows = batchRows;
        this.metrics = metrics;
        memory = new BatchMemory(TaskContext.get(), metrics.peakMemory);
        tasks = calls.stream().map(Task::new).toArray(Task[]::new);
        kept = UnsafeProjection.create(shape.kept, shape.columns);
        projection = UnsafeProjection.create(shape.outputs, shape.schema);
        memory.accept(8L * batchRows);
        rows = shape.kept.isEmpty() ? null : new InternalRow[batchRows];
        added = new GenericInternalRow(tasks.length);
    }

    @Override
    public boolean hasNext() {
        return next < count || in.hasNext();
    }

    @Override
    public InternalRow next() {
        if (next == count) {
            gather();
        }
        for (int i = 0; i < tasks.length; i++) {
            added.update(i, tasks[i].result(next));
        }
        InternalRow row = rows == null ? added : joined.apply(rows[next], added);
        next++;
        metrics.outputRows.add(1);
        return projection.apply(row);
    }

    private void gather() {
        if (!in.hasNext()) {
            throw new NoSuchElementException();
        }
        for (Task task : tasks) {
            task.clear();
        }
        next = 0;
        // Nothing is there until all of it is: an exception leaves no row with another's result.
        count = 0;
        int gathered = 0;
        memory.accept(-rowBytes);
        rowBytes = 0;
        for (long bytes = 0; gathered < batchRows && bytes + rowBytes < BATCH_BYTES && in.hasNext(); gathered++) {
            InternalRow row = in.next();
            for (Task task : tasks) {
                bytes += task.add(row);
            }
            if (rows != null) {
                UnsafeRow needed = kept.apply(row);
                memory.accept(needed.getSizeInBytes());
                rowBytes += needed.getSizeInBytes();
                // The child reuses its row, and a projection its own.
                rows[gathered] = needed.copy();
            }
        }
        for (Task task : tasks) {
            task.run(gathered);
        }
        count = gathered;
    }

    /** A call on the rows that are gathered. */
    private final class Task {
        private final Call call;
        final Gathered values;

        /** Null if there is a context of all. */
        private final Gathered contexts;

        private Column sealed;

        /** What each key opened, in their order: the next has what those before did not open. */
        private final List<OpenedColumn> opened = new ArrayList<>();

        /** What is counted for the results. */
        private long resultBytes;

        Task(Call call) {
            this.call = call;
            values = new Gathered(batchRows, memory);
            contexts = call.contextOfEach == null ? null : new Gathered(batchRows, memory);
        }

        void clear() {
            sealed = null;
            opened.clear();
            memory.accept(-resultBytes);
            resultBytes = 0;
            values.clear();
            if (contexts != null) {
                contexts.clear();
            }
        }

        /** Adds a row, and gives the length of what it adds. */
        long add(InternalRow row) {
            return (contexts == null ? 0 : add(contexts, row, call.contextOfEach)) + add(values, row, call.value);
        }

        private long add(Gathered gathered, InternalRow row, Place place) {
            if (row.isNullAt(place.at)) {
                gathered.addNull();
                return 0;
            }
            return gathered.add(row, place.at, place.isText);
        }

        void run(int count) {
            metrics.dataSize.add(values.size());
            byte[] context = contexts == null ? call.context : contexts.bytes();
            int[] offsets = contexts == null ? null : contexts.offsets();
            if (call.operation.function.seals()) {
                addResultBytes(count);
                sealed = call.operation.sealAll(values.column(), context, offsets);
            } else {
                open(values.column(), context, offsets, count);
            }
        }

        private void open(Column rows, byte[] context, int[] offsets, int count) {
            for (ColumnKey key : call.operation.keys()) {
                addResultBytes(count);
                OpenedColumn some = call.operation.openAll(key, rows, context, offsets);
                opened.add(some);
                if (some.allOpened()) {
                    return;
                }
                rows = new Column(rows.bytes(), rows.offsets(), bitmapOfOthers(some.opened()));
            }
        }

        /** What did not open: a null did. */
        private static byte[] bitmapOfOthers(boolean[] opened) {
            byte[] bitmap = new byte[(opened.length + 7) / 8];
            for (int row = 0; row < opened.length; row++) {
                bitmap[row / 8] |= (byte) (opened[row] ? 0 : 1 << row % 8);
            }
            return bitmap;
        }

        private void addResultBytes(int count) {
            long more = values.size() + (4L + Operation.MOST_ADDED_BYTES) * count;
            memory.accept(more);
            resultBytes += more;
        }

        /** Of one row: null if its value is null, or does not open and may be so. */
        byte[] result(int row) {
            if (values.isNull(row)) {
                return null;
            }
            if (contexts != null && contexts.isNull(row)) {
                throw call.operation.nullContext();
            }
            if (sealed != null) {
                return bytes(sealed, row);
            }
            for (OpenedColumn some : opened) {
                if (some.opened()[row]) {
                    return bytes(some.values(), row);
                }
            }
            metrics.notOpened.add(1);
            call.operation.checkNullAllowed();
            return null;
        }

        private static byte[] bytes(Column column, int row) {
            return Arrays.copyOfRange(column.bytes(), column.offsets()[row], column.offsets()[row + 1]);
        }
    }
}
