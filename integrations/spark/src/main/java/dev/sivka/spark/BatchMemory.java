package dev.sivka.spark;

import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.spark.TaskContext;
import org.apache.spark.memory.MemoryConsumer;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.memory.SparkOutOfMemoryError;
import org.apache.spark.sql.execution.metric.SQLMetric;

/**
 * What the batches of one operator hold, as the task's memory manager knows it: others spill for
 * it. A batch itself is small, and cannot spill.
 */
final class BatchMemory extends MemoryConsumer implements LongConsumer {
    /** So much is asked for at once, because each request takes locks. */
    private static final long STEP = 1 << 20;

    private long held;
    private long peak;

    /**
     * Of the task that runs.
     *
     * @param peakMemory given the most that was held, when the task ends
     */
    BatchMemory(TaskContext task, SQLMetric peakMemory) {
        super(task.taskMemoryManager(), MemoryMode.ON_HEAP);
        task.addTaskCompletionListener(ended -> {
            peakMemory.add(peak);
            freeMemory(getUsed());
        });
    }

    /**
     * Counts bytes, before they are allocated if there are more, after they are dropped if fewer.
     *
     * @throws SparkOutOfMemoryError if the task may not hold so many; Spark fails the task
     */
    @Override
    public void accept(long more) {
        held += more;
        if (held > getUsed()) {
            acquire(held - getUsed());
        } else if (getUsed() - held > 2 * STEP) {
            freeMemory(getUsed() - held);
        }
        peak = Math.max(peak, held);
    }

    private void acquire(long needed) {
        long granted = acquireMemory(Math.max(needed, STEP));
        if (granted < needed) {
            freeMemory(granted);
            held -= needed;
            taskMemoryManager.showMemoryUsage();
            throw new SparkOutOfMemoryError(
                    "UNABLE_TO_ACQUIRE_MEMORY",
                    Map.of("requestedBytes", Long.toString(needed), "receivedBytes", Long.toString(granted)));
        }
    }

    @Override
    public long spill(long size, MemoryConsumer trigger) {
        return 0;
    }
}
