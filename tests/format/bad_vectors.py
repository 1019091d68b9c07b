"""The files that every reader must refuse."""

import bad_aligned
import bad_encodings
import bad_fields
import bad_for_plugins
import bad_payloads
import bad_rosters
import bad_sealed
import bad_seeds
import bad_sharings
import bad_staircase
import bad_summands
import bad_transfers


def cases():
    for module in (bad_encodings, bad_fields, bad_sharings, bad_transfers, bad_rosters, bad_payloads, bad_for_plugins,
                   bad_aligned, bad_summands, bad_sealed, bad_seeds, bad_staircase):
        yield from module.cases()
