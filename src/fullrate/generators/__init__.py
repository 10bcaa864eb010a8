"""Traffic programs: whether they can run a trial, their command line, their result. One file each, all pure."""
