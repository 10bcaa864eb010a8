"""From what people have at hand (a folder, an archive, a sosreport, a pasted text) to a recording."""
