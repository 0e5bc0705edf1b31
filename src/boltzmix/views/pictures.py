"""How a component is drawn."""

from typing import Any, TypeVar

from ..families.contract.description import Chain, Curve, Ellipse

Picture = TypeVar("Picture", Ellipse, Chain, Curve)


def picture_of(component: Any, kind: type[Picture]) -> Picture | None:
    """Return the picture of a fitted component, if it is of this kind."""
    picture = component.describe().picture
    return picture if isinstance(picture, kind) else None
