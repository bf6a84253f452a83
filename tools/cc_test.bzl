"""C++ tests that every sanitizer understands.

    distbench_cc_test(name, srcs, deps, ...)   as cc_test

Adds what the thread sanitizer needs: the hand-overs inside the system's uninstrumented abseil, made
visible, and the list of the system's known false reports. Without it both add nothing.
"""

def distbench_cc_test(name, deps = [], data = [], **kwargs):
    native.cc_test(
        name = name,
        deps = deps + ["//distbench/testing:tsan_absl_shim"],
        data = data + ["//tools:tsan.supp"],
        **kwargs
    )
