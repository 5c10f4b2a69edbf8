# SPDX-License-Identifier: BSD-3-Clause
"""Global definitions as plain values, in the terms in which the tests assert them."""

from harness.archive import bits, name_of

DENSE = ("strings", "attributes", "system_tree_nodes", "location_groups", "regions", "groups",
         "comms", "io_files", "io_handles", "io_paradigms")


def references(definitions):
    """The references of each kind of definition in the order of the file."""
    return {kind: [d._ref for d in getattr(definitions, kind)] for kind in DENSE}


def system_tree(definitions):
    """The path from the root to each node, as (class, name) pairs; the machine's name is free."""
    def path(node):
        own = [(node.class_name, node.name)]
        return path(node.parent) + own if node.parent else own
    return [path(node) for node in definitions.system_tree_nodes]


def locations(definitions):
    """(group, location, type) of each."""
    return sorted((location.group.name, location.name, name_of(location.type))
                  for location in definitions.locations)


def members(group):
    """The world ranks of a group, None where OTF2 lets each location be alone."""
    if name_of(group.group_type) == "COMM_SELF":
        return None
    return [location._ref & 0xffffffff for location in group.members]


def communicators(definitions):
    """(name, members) of each."""
    return sorted(((c.name, members(c.group)) for c in definitions.comms),
                  key=lambda pair: (pair[0], pair[1] or []))


def handles(archive):
    """(file, paradigm, communicator) of each."""
    return sorted((archive.name_of(h.file.name), h.io_paradigm.identification, h.comm.name)
                  for h in archive.definitions.io_handles)


def file_properties(archive):
    """By file: its scope's class, and its properties."""
    result = {archive.name_of(f.name): (f.scope.class_name, {})
              for f in archive.definitions.io_files}
    for p in archive.definitions.io_file_properties:
        result[archive.name_of(p.io_file.name)][1][p.name] = p.value
    return result


def paradigms(definitions):
    """(reference, identification, name, class, flags) of each."""
    return [(p._ref, p.identification, p.name, name_of(p.io_paradigm_class),
             bits(p.io_paradigm_flags)) for p in definitions.io_paradigms]
