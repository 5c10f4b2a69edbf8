# SPDX-License-Identifier: BSD-3-Clause
"""Helpers of the test suite: MPI libraries, program runs, traces as text."""
