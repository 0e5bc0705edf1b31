"""Reading of what users pass as data: frames, arrays, lists and formulas."""
