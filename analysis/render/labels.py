"""Labels that cover neither each other nor what is drawn: oriented boxes on the canvas, and a choice among places."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.text import Text
from style import DPI

Corners = np.ndarray  # 4 x 2, pixels of the canvas, in order round the box


def box_of(text: Text, renderer: Any, margin: float = 0.0) -> Corners:
    """The corners of a text as it is drawn, turned as the text is turned, with a margin in pixels."""
    angle = text.get_rotation()
    anchor = np.array(text.get_transform().transform(text.get_unitless_position()))
    text.set_rotation(0)
    flat = text.get_window_extent(renderer)
    text.set_rotation(angle)
    x0, y0, x1, y1 = flat.x0 - margin, flat.y0 - margin, flat.x1 + margin, flat.y1 + margin
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
    if text.get_rotation_mode() == "anchor":
        return anchor + (corners - anchor) @ turn(angle)
    # Turned about its anchor, then pushed so that the upright box round the turned text is where it is aligned to be.
    turned = (corners - anchor) @ turn(angle)
    real = text.get_window_extent(renderer)
    return turned - turned.mean(axis=0) + np.array([(real.x0 + real.x1) / 2, (real.y0 + real.y1) / 2])


def turn(degrees: float) -> np.ndarray:
    """Turns row vectors counter-clockwise."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([(c, s), (-s, c)])


def overlap(a: Corners, b: Corners) -> bool:
    """Whether two convex shapes share an area: no side of either keeps them apart."""
    for shape in (a, b):
        sides = np.roll(shape, -1, axis=0) - shape
        for normal in np.column_stack((-sides[:, 1], sides[:, 0])):
            in_a, in_b = a @ normal, b @ normal
            if in_a.max() <= in_b.min() + 1e-9 or in_b.max() <= in_a.min() + 1e-9:
                return False
    return True


def square(x: float, y: float, half: float) -> Corners:
    return np.array([(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])


def strip(a: Sequence[float], b: Sequence[float], half: float = 0.7) -> Corners:
    """A line from a to b as a thin box."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    length = np.hypot(*(b - a)) or 1.0
    normal = np.array([-(b - a)[1], (b - a)[0]]) / length * half
    return np.array([a - normal, b - normal, b + normal, a + normal])


@dataclass
class Place:
    """Where a label may stand: pixels, degrees, and which part of the text is held there."""

    x: float
    y: float
    angle: float = 0.0
    ha: str = "left"
    va: str = "bottom"


@dataclass
class Canvas:
    """What is taken on a figure whose layout is frozen. Texts may not be covered, marks and lines had better not."""

    renderer: Any
    bounds: Corners
    texts: list[Corners] = field(default_factory=list)
    marks: list[Corners] = field(default_factory=list)
    lines: list[Corners] = field(default_factory=list)

    def place(self, text: Text, places: Iterable[Place]) -> float:
        """Puts the text, made by free_text, at the first place that costs least. Gives what it costs: 0 when
        it is free, 100 and more when it covers another text or leaves the bounds."""
        best, least = None, math.inf
        for place in places:
            move(text, place)
            cost = self.cost(box_of(text, self.renderer, margin=1.5))
            if cost < least:
                best, least = place, cost
            if cost == 0:
                break
        if best is None:
            return least
        move(text, best)
        self.texts.append(box_of(text, self.renderer, margin=1.5))
        return least

    def cost(self, box: Corners) -> float:
        low, high = self.bounds.min(axis=0), self.bounds.max(axis=0)
        outside = (box.min(axis=0) < low - 0.5).any() or (box.max(axis=0) > high + 0.5).any()
        covered = sum(overlap(box, other) for other in self.texts)
        return (200 * outside + 100 * covered + 5 * sum(overlap(box, other) for other in self.marks)
                + sum(overlap(box, other) for other in self.lines))


def free_text(figure: Figure, text: str, **style: Any) -> Text:
    """A text that move() puts somewhere. It is held in inches, because pixels are not the same in SVG and PNG."""
    return figure.text(0, 0, text, transform=figure.dpi_scale_trans, **style)


def move(text: Text, place: Place) -> None:
    text.set_position((place.x / DPI, place.y / DPI))
    text.set_rotation(place.angle)
    text.set_rotation_mode("anchor")
    text.set_ha(place.ha)
    text.set_va(place.va)


def spread(wanted: Sequence[float], height: float, low: float, high: float) -> list[float]:
    """Places near the wanted ones, at least `height` apart, in low..high if they fit: for labels in a column."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    places = [min(max(wanted[i], low), high) for i in order]
    for _ in range(200):
        moved = False
        for i in range(len(places) - 1):
            short = height - (places[i + 1] - places[i])
            if short > 1e-6:
                places[i] -= short / 2
                places[i + 1] += short / 2
                moved = True
        if places and places[0] < low:
            places[0], moved = low, True
        if places and places[-1] > high:
            places[-1], moved = high, True
        if not moved:
            break
    # What the rounds above did not settle (more labels than room) goes upwards, over the edge if it must.
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + height)
    result = [0.0] * len(wanted)
    for place, i in zip(places, order):
        result[i] = place
    return result
