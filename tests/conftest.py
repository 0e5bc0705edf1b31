import os

os.environ["SCIPY_ARRAY_API"] = "1"  # before scipy is imported: scikit-learn's checks ask for it
os.environ["MPLBACKEND"] = "Agg"

from hypothesis import settings

# the same examples on every run; HYPOTHESIS_PROFILE=search looks for new ones
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile("search", max_examples=1000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
