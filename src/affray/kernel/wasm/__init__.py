"""Rules compiled ahead to WebAssembly: building a module of drivers, and running one."""
