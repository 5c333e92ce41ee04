/// How often memory was allocated in this process so far. Load the library by LD_PRELOAD, and look this up by dlsym.
unsigned long allocation_counter_value(void);
