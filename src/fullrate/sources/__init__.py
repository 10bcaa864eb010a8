"""Evidence parsers: what to ask, how to recognise pasted text, bytes to facts. One file each, all pure."""
