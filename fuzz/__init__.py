"""Fuzzed fits: random families, algorithms, options and hostile data, each from one seed.

A case is made from its number alone, so that ``python -m fuzz --case 123`` repeats it:

- `dice`: random choices
- `values`: numbers that suit the families
- `hostile`: what makes tables hostile: values, and containers
- `templates`: families with random settings, and data for each
- `options`: settings of the mixture and arguments of `fit`
- `cases`: a case, made from its number
- `judging`: which errors, warnings and results are failures
- `generators`: what else can be fuzzed, by ``--what``
- `running`: fit a case, and call every method of the fitted mixture
"""
