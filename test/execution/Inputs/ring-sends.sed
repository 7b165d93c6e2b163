# Of examples/level3/ring_gemm.mlir: each core writes its page to its left neighbour, instead of reading that of its right one.
s|noc_semaphore_inc %left_there, %c1 // say-there|noc_semaphore_inc %right_taken, %c1 // say-room|
s|noc_semaphore_wait_min %there, %n // wait-there|noc_semaphore_wait_min %taken, %n // wait-room|
s|%right = metalium.get_noc_addr %right_x, %row_y, %from|%left = metalium.get_noc_addr %left_x, %row_y, %to|
s|noc_async_read %right, %to, %bytes // fetch|noc_async_write %from, %left, %bytes // send|
s|noc_async_read_barrier // fetch-barrier|noc_async_write_barrier // send-barrier|
s|noc_semaphore_inc %right_taken, %c1 // say-taken|noc_semaphore_inc %left_there, %c1 // say-sent|
s|noc_semaphore_wait_min %taken, %n // wait-taken|noc_semaphore_wait_min %there, %n // wait-sent|
