"""Which profile knows which keyword: what an error says about the way out.

Sources: the meta-schemas of draft 2020-12 (core, applicator, unevaluated, validation, meta-data, format-annotation,
content, and the deprecated block) and of draft-07; OpenAPI 3.1 for the annotations taken over from there.

Imports: nothing of admit.
"""

from __future__ import annotations

_BOTH = frozenset(
    "$id $schema $ref $comment title description default readOnly writeOnly examples multipleOf maximum "
    "exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern additionalProperties items maxItems "
    "minItems uniqueItems contains maxProperties minProperties required definitions $defs properties "
    "patternProperties dependencies propertyNames const enum type format contentMediaType contentEncoding if then else "
    "allOf anyOf oneOf not example externalDocs xml discriminator".split()
)

KNOWN: dict[str, frozenset[str]] = {
    "2020-12": _BOTH
    | frozenset(
        "$anchor $dynamicAnchor $dynamicRef $vocabulary prefixItems minContains maxContains dependentSchemas "
        "dependentRequired unevaluatedItems unevaluatedProperties contentSchema deprecated".split()
    ),
    "draft-07": _BOTH | frozenset(["additionalItems"]),
}

WIDER = tuple(KNOWN)
"""The profiles wider than `core`."""


def profiles_that_take(keyword: str) -> tuple[str, ...]:
    """The wider profiles that take `keyword`; extension annotations (`x-…`) are taken by all of them."""
    return tuple(name for name, known in KNOWN.items() if keyword in known or keyword.startswith("x-"))
