"""matplotlib's SVG made fit to stand in a page: ids that clash with nothing, a name for screen readers, no styles."""

import re
import xml.etree.ElementTree as ElementTree

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
ElementTree.register_namespace("", SVG)
ElementTree.register_namespace("xlink", XLINK)

# The fonts that matplotlib laid the text out for, then any that is about as wide, then what there is.
FONTS = "'DejaVu Sans', Verdana, sans-serif"


def tidy(source: str, name: str, label: str) -> str:
    """The SVG as an image with that label; `name` makes its ids unique among those of other plots."""
    root, name = ElementTree.fromstring(source), f"svg-{name}"
    for parent in list(root.iter()):
        for child in list(parent):
            # Its one style sheet would rule the whole page; what it says is put on the root below.
            if child.tag in (f"{{{SVG}}}metadata", f"{{{SVG}}}style"):
                parent.remove(child)
    used = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', source))
    for element in root.iter():
        rename_id(element, used, name)
        for key, value in element.attrib.items():
            if key == f"{{{XLINK}}}href" and value.startswith("#"):
                element.set(key, f"#{name}-{value[1:]}")
            elif "url(#" in value:
                element.set(key, value.replace("url(#", f"url(#{name}-"))
            elif key == "style" and "font" in value:
                element.set(key, re.sub(r"'DejaVu Sans'(, *'DejaVu Sans')*(, *sans-serif)*", FONTS, value))
    root.set("role", "img")
    root.set("aria-label", label)
    root.set("style", "stroke-linejoin: round; stroke-linecap: butt")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def rename_id(element: ElementTree.Element, used: set[str], name: str) -> None:
    """Ids that nothing refers to go."""
    identity = element.get("id")
    if identity in used:
        element.set("id", f"{name}-{identity}")
    elif identity is not None:
        del element.attrib["id"]
