"""What everything else builds on: errors, files, options said once, things by name."""
