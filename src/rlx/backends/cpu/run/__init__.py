"""Running a program: the job, its loop in native code, the thread pool."""
