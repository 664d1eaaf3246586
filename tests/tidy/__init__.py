"""The checkable part of the style guide; tests/tidy_test.py runs it."""
