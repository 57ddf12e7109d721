"""What the user takes home: tuned headers, the patch, the report."""
