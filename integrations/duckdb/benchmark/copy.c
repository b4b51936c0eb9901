/*
 * The functions of src/rows.c as if there were nothing to do but to copy a value: what DuckDB's
 * C interface itself costs. `build.py --rows` takes this file in place of that one.
 */
#include "../src/sivka_duckdb.h"

void make_rows(duckdb_init_info info)
{
    (void)info;
}

void run_rows(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output)
{
    (void)info;
    struct argument values = argument_at(input, 0);
    for (idx_t i = 0; i < duckdb_data_chunk_get_size(input); i++)
        duckdb_unsafe_vector_assign_string_element_len(output, i, (const char *)string_bytes(&values.strings[i]),
                                                       string_len(&values.strings[i]));
}
