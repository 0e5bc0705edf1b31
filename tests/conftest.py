import os

os.environ["SCIPY_ARRAY_API"] = "1"  # before scipy is imported: scikit-learn's checks ask for it
os.environ["MPLBACKEND"] = "Agg"
