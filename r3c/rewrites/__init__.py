"""Source rewrites, one file each: where they apply, whether they are legal, the edits they make."""
