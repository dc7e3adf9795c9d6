"""`admit check`: which tools of a catalog are accepted.

Imports: catalog; inputs, output.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from ..catalog import AdmittedCatalog, ToolDescriptor
from . import output
from .inputs import AsJson, CatalogPath, LimitValues, ProfileName, read_catalog, same

EXAMPLE = "admit check tools.json"

HEADERS = ("tool", "accepted", "digest", "code", "keyword", "location", "planned in profiles")

Row = dict[str, Any]
"""One tool in the `--json` output."""


def check(
    catalog: CatalogPath, profile: ProfileName = "core", limit: LimitValues = None, as_json: AsJson = False
) -> int:
    """Say which tools of a catalog are accepted.

    And, of the others, the first fault: what it is, where, and in which profiles it is planned.

    Exit status: 0 all are accepted, 1 some are not, 2 the catalog cannot be read, 3 admit itself failed.
    """
    tools = read_catalog(catalog)
    admitted = tools.admit("quarantine", tier="reference", **same(profile, limit))
    rows = [_row(tool, profile, admitted) for tool in tools]
    summary = _summary(rows, profile)
    if as_json:
        output.as_json({"tools": rows, "summary": summary})
    else:
        _print(rows, summary)
    return output.REFUSED if summary["refused"] else output.ACCEPTED


def _row(tool: ToolDescriptor, profile: str, admitted: AdmittedCatalog) -> Row:
    error = admitted.rejected.get(tool.name)
    if error is not None:
        return {"name": tool.name, "accepted": False, "profile": profile, "digest": None, "error": error.to_dict()}
    contract = admitted[tool.name].contract
    return {"name": tool.name, "accepted": True, "profile": contract.profile, "digest": contract.digest}


def _summary(rows: Sequence[Row], profile: str) -> dict[str, Any]:
    """Counts. A refusal knows the profiles planned for its own fault, not whether they take the rest of the schema."""
    accepted = sum(row["accepted"] for row in rows)
    planned = Counter(name for row in rows if not row["accepted"] for name in _planned(row["error"]))
    return {
        "profile": profile,
        "tools": len(rows),
        "accepted": accepted,
        "refused": len(rows) - accepted,
        "first_fault_planned_for": dict(planned),
    }


def _planned(error: Mapping[str, Any]) -> Sequence[str]:
    """The profiles, of later versions, that are to take what an error refuses."""
    found: Sequence[str] = error["details"].get("profiles", ())
    return found


def _print(rows: Sequence[Row], summary: Mapping[str, Any]) -> None:
    if rows:
        output.table(HEADERS, map(_cells, rows), folding=("code", "location"))
    for row in rows:  # where the columns do not say it all
        if not row["accepted"] and "keyword" not in row["error"]["details"]:
            output.line(f"{row['name']}: {row['error']['message']}")
    output.line(f"profile {summary['profile']} accepts {summary['accepted']} of {summary['tools']} tools")
    for name, count in summary["first_fault_planned_for"].items():
        output.line(f"the first fault of {count} of {summary['refused']} refused tools is planned for profile {name}")


def _cells(row: Row) -> list[Text]:
    if row["accepted"]:
        said = [output.cell("yes", "green"), output.cell(row["digest"][7:19]), *[output.cell("")] * 4]
    else:
        error = row["error"]
        keyword, location = error["details"].get("keyword", ""), error["details"].get("location")
        place = "" if location is None else location or output.ROOT
        columns = ["", error["code"], keyword, place, ", ".join(_planned(error))]
        said = [output.cell("no", "red"), *map(output.cell, columns)]
    return [output.cell(row["name"]), *said]
