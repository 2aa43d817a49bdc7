"""Settings of all tests."""

from hypothesis import settings

# Machines that run tests may be busy: no deadline for one example.
settings.register_profile("project", deadline=None, print_blob=True)
settings.load_profile("project")
