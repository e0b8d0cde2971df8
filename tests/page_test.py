"""report.html in a real Chromium without a window: loads from disk without error or request, sorts and filters by mouse
and keyboard, fits a phone, a dark room and paper.

Exit status 77 where there is no Chromium, driver or selenium. PAGE_TEST_PICTURES=DIR keeps the screenshots and the PDF.
"""

import base64
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
RENDER = HERE.parent / "analysis" / "render" / "render.py"
sys.path.insert(0, str(HERE))

import report_samples

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select, WebDriverWait
except ImportError:
    webdriver = None
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")


def missing() -> str:
    """What this machine lacks for the test; empty if nothing."""
    lacks = [package for package, there in (("python3-selenium", webdriver), ("chromium", CHROMIUM),
                                            ("chromium-driver", DRIVER)) if not there]
    return ", ".join(lacks)


class Browser:
    """One Chromium for all tests, and the pages it looks at."""

    @classmethod
    def start(cls) -> None:
        cls.hold = tempfile.TemporaryDirectory(prefix="page-")
        cls.folder = Path(cls.hold.name)
        cls.small = cls.make("small", report_samples.small())
        cls.large = cls.make("large", report_samples.large(), "--no-plots")
        cls.odd = cls.make("odd", report_samples.odd(), "--no-plots")
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        # Containers run as root and without a large /dev/shm; nothing may ask the network while a page is tested.
        for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                         "--disable-background-networking", "--disable-component-update", "--no-first-run",
                         "--window-size=1280,900", "--hide-scrollbars", f"--user-data-dir={cls.folder / 'profile'}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.driver = webdriver.Chrome(service=Service(DRIVER), options=options)

    @classmethod
    def make(cls, name: str, sample: dict, *more: str) -> str:
        file = report_samples.write(sample, cls.folder / name)
        subprocess.run([sys.executable, RENDER, file, *more], check=True, timeout=60)
        return (file.parent / "report.html").as_uri()

    @classmethod
    def stop(cls) -> None:
        cls.driver.quit()
        cls.hold.cleanup()


def setUpModule() -> None:
    Browser.start()


def tearDownModule() -> None:
    Browser.stop()


def keep(name: str, content: bytes) -> None:
    if folder := os.environ.get("PAGE_TEST_PICTURES"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        (Path(folder) / name).write_bytes(content)


class PageTest(unittest.TestCase):
    def open(self, url: str, width: int = 1280, height: int = 900, **media: str) -> None:
        """Loads a page in a window of that size; media: features and, as `media`, the kind."""
        kind = media.pop("media", "")
        features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
        self.browser = Browser.driver
        self.browser.get("about:blank")
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                     mobile=width < 600)
        self.command("Emulation.setEmulatedMedia", media=kind, features=features)
        self.browser.get(url)
        # On a busy machine the driver can come back from the load of the empty page before.
        WebDriverWait(self.browser, 60).until(lambda _: self.script(
            "return document.readyState === 'complete' && location.href === arguments[0]", url))

    def command(self, name: str, **arguments: object) -> dict:
        return self.browser.execute_cdp_cmd(name, arguments)

    def script(self, text: str, *arguments: object) -> object:
        return self.browser.execute_script(text, *arguments)

    def find(self, selector: str) -> object:
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def column(self, name: str) -> list[str]:
        """The texts of a column of the comparison, of the rows that are shown."""
        return self.script("""
            const table = document.getElementById("comparison-table");
            const heads = Array.from(table.tHead.rows[0].cells);
            const at = heads.findIndex((cell) => cell.innerText.replace(/\\s+/g, " ").startsWith(arguments[0]));
            return Array.from(table.tBodies).filter((body) => !body.hidden)
              .map((body) => body.rows[0].cells[at].innerText);
            """, name)

    def header(self, name: str) -> object:
        for header in self.browser.find_elements(By.CSS_SELECTOR, "#comparison-table thead th[data-sort]"):
            if header.text.replace("\n", " ").startswith(name):
                return header
        raise AssertionError(f"no column {name}")

    def count(self) -> str:
        return self.find("form[data-for=comparison-table] [role=status]").text

    def choose(self, name: str, text: str) -> None:
        Select(self.find(f"form[data-for=comparison-table] select[name={name}]")).select_by_visible_text(text)

    def screenshot(self, name: str) -> tuple[int, int]:
        """Width and height of the picture, which must be more than one colour."""
        picture = base64.b64decode(self.command("Page.captureScreenshot", captureBeyondViewport=True)["data"])
        keep(f"{name}.png", picture)
        self.assertGreater(len(picture), 20000)
        return struct.unpack(">II", picture[16:24])


class Loading(PageTest):
    def test_no_error_and_no_request(self) -> None:
        self.open("about:blank")
        for log in ("browser", "performance"):
            self.browser.get_log(log)
        for url in (Browser.small, Browser.large, Browser.odd):
            self.open(url)
            self.assertEqual(self.script("return performance.getEntriesByType('resource').map((e) => e.name)"
                                         ".filter((name) => !name.startsWith('data:'))"), [])
        self.assertEqual([entry["message"] for entry in self.browser.get_log("browser")], [])
        messages = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        asked = [message["params"]["request"]["url"] for message in messages
                 if message["method"] == "Network.requestWillBeSent"]
        self.assertEqual(len([url for url in asked if url.endswith("report.html")]), 3)
        self.assertEqual([url for url in asked if not url.startswith(("data:", "about:"))
                          and not url.endswith("report.html")], [])

    def test_ids_are_unique_and_plots_are_there(self) -> None:
        self.open(Browser.small)
        ids = self.script("return Array.from(document.querySelectorAll('[id]'), (element) => element.id)")
        self.assertEqual(len(ids), len(set(ids)))
        plots = self.script("return Array.from(document.querySelectorAll('.plot svg'), (svg) => "
                            "[svg.getAttribute('role'), svg.getAttribute('aria-label').length, svg.clientWidth])")
        self.assertEqual(len(plots), 9)
        for role, label, width in plots:
            self.assertEqual(role, "img")
            self.assertGreater(label, 20)
            self.assertGreater(width, 300)

    def test_markup_in_a_record_is_text(self) -> None:
        self.open(Browser.odd)
        self.assertIn("<script>alert('title')</script>", self.find("h1").text)
        self.assertEqual(self.script("return document.scripts.length"), 1)
        self.assertEqual(len(self.column("Model")), 2)

    def test_scripts_of_others_and_the_network_are_forbidden(self) -> None:
        self.open(Browser.small)
        self.script("const one = document.createElement('script'); one.textContent = 'window.intruder = 1';"
                    "document.body.append(one);")
        self.assertIsNone(self.script("return window.intruder ?? null"))
        blocked = self.browser.execute_async_script("""
            const done = arguments[0];
            addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
            fetch("http://127.0.0.1:9/").catch(() => {});
            """)
        self.assertEqual(blocked, "connect-src")
        self.browser.get_log("browser")


class Tables(PageTest):
    def setUp(self) -> None:
        self.open(Browser.small)

    def test_sorting_by_click(self) -> None:
        whole = self.column("Median")
        self.assertEqual(len(whole), 12)
        header = self.header("Median")
        header.find_element(By.TAG_NAME, "button").click()
        self.assertEqual(header.get_attribute("aria-sort"), "ascending")
        up = self.column("Median")
        self.assertEqual(sorted(up), sorted(whole))
        self.assertEqual([float(text) for text in up[:-1]], sorted(float(text) for text in up[:-1]))
        self.assertEqual(up[-1], "\u2013", "missing figures go last")
        header.find_element(By.TAG_NAME, "button").click()
        self.assertEqual(header.get_attribute("aria-sort"), "descending")
        down = self.column("Median")
        self.assertEqual(down[:-1], up[:-1][::-1])
        self.assertEqual(down[-1], "\u2013")

    def test_sorting_by_keyboard(self) -> None:
        grid = self.header("Grid").find_element(By.TAG_NAME, "button")
        for key, expected in ((Keys.ENTER, "ascending"), (Keys.SPACE, "descending")):
            self.script("arguments[0].focus()", grid)
            self.browser.switch_to.active_element.send_keys(key)
            self.assertEqual(self.header("Grid").get_attribute("aria-sort"), expected)
        self.assertEqual(self.column("Grid")[0], "1024\u00a0\u00d7\u00a01024")
        self.header("Model").find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
        self.assertIsNone(self.header("Grid").get_attribute("aria-sort"))
        self.assertEqual(self.column("Model"), sorted(self.column("Model")))

    def test_details_stay_with_their_row(self) -> None:
        self.header("GB/s").find_element(By.TAG_NAME, "button").click()
        pairs = self.script("return Array.from(document.querySelectorAll('#comparison-table tbody'), (body) => "
                            "[body.id, body.rows[1].id, body.rows[1].hidden])")
        self.assertEqual([(body.replace("row-", "detail-"), True) for body, _, _ in pairs],
                         [(detail, hidden) for _, detail, hidden in pairs])

    def test_filters_and_their_count(self) -> None:
        self.assertEqual(self.count(), "12 of 12 runs shown")
        status = self.find("form[data-for=comparison-table] [role=status]")
        self.assertEqual(status.get_attribute("aria-live"), "polite")
        self.choose("model", "openmp")
        self.assertEqual((self.count(), self.column("Model")), ("2 of 12 runs shown", ["openmp"] * 2))
        self.choose("problem", "128\u00a0\u00d7\u00a0128")
        self.assertEqual((self.count(), self.column("Grid")), ("1 of 12 runs shown", ["128\u00a0\u00d7\u00a0128"]))
        self.choose("show", "Not right")
        self.assertEqual((self.count(), self.column("Model")), ("0 of 12 runs shown", []))
        self.find("form[data-for=comparison-table] button[type=reset]").send_keys(Keys.ENTER)
        self.browser.execute_async_script("setTimeout(arguments[0], 20)")
        self.assertEqual(self.count(), "12 of 12 runs shown")
        self.choose("show", "Not right")
        self.assertEqual(self.column("Status"), ["failed"])
        self.choose("show", "Best of each model")
        self.assertEqual(len(self.column("Status")), 9)
        # The other table has filters of its own.
        self.assertEqual(self.find("form[data-for=reasons-table] [role=status]").text, "11 of 11 runs shown")

    def test_every_control_has_a_name(self) -> None:
        names = self.script("""
            return Array.from(document.querySelectorAll("button, select"), (control) =>
              control.getAttribute("aria-label") || control.innerText.trim() && control.tagName === "BUTTON" ||
              control.labels?.[0]?.innerText || "");
            """)
        self.assertNotIn("", names)

    def test_details_open_by_keyboard(self) -> None:
        button = self.find("#row-run-2 button.open")
        detail = self.find("#detail-run-2")
        self.assertFalse(detail.is_displayed())
        button.send_keys(Keys.ENTER)
        self.assertEqual(button.get_attribute("aria-expanded"), "true")
        self.assertTrue(detail.is_displayed())
        for text in ("-O3 -DNDEBUG", "Debian GNU/Linux 12", "lbm-serial --variant fused", "of the 322.0 GB/s",
                     "1c45ae2f"):
            self.assertIn(text, detail.text)
        button.send_keys(Keys.SPACE)
        self.assertFalse(detail.is_displayed())
        self.find(".open-all").click()
        self.assertEqual(len([d for d in self.browser.find_elements(By.CSS_SELECTOR, "tr.detail") if d.is_displayed()]),
                         12)

    def test_a_link_shows_its_row(self) -> None:
        self.choose("model", "serial")
        self.assertFalse(self.find("#row-run-5").is_displayed())
        self.find("#fastest a[href='#row-run-5']").send_keys(Keys.ENTER)
        self.browser.execute_async_script("setTimeout(arguments[0], 50)")
        self.assertTrue(self.find("#row-run-5").is_displayed())
        self.assertTrue(self.find("#detail-run-5").is_displayed())
        self.assertEqual(self.count(), "12 of 12 runs shown")

    def test_the_contents_lead_to_their_sections(self) -> None:
        for link in self.browser.find_elements(By.CSS_SELECTOR, "nav a"):
            link.send_keys(Keys.ENTER)
            top = self.script("return document.getElementById(location.hash.slice(1)).getBoundingClientRect().top")
            bar = self.script("return document.querySelector('nav').getBoundingClientRect().bottom")
            self.assertGreaterEqual(top, bar - 1, "the heading is under the contents")


class Looks(PageTest):
    def test_desktop_and_phone(self) -> None:
        for name, url in (("small", Browser.small), ("large", Browser.large), ("odd", Browser.odd)):
            for width in (1280, 390, 320):
                with self.subTest(page=name, width=width):
                    self.open(url, width)
                    scroll, inner = self.script("return [document.documentElement.scrollWidth, innerWidth]")
                    self.assertEqual(inner, width)
                    self.assertLessEqual(scroll, inner)
                    if width != 320:
                        self.assertEqual(self.screenshot(f"{name}-{width}")[0], width)

    def test_tables_scroll_in_their_own_box(self) -> None:
        self.open(Browser.large, 390)
        box = self.script("""
            const box = document.getElementById("comparison-table").parentElement;
            box.scrollLeft = 500;
            box.scrollTop = 400;
            const [head, cell] = ["thead th.head", "tbody:nth-of-type(30) th"].map((s) => box.querySelector(s));
            const [at, top, left] = [box, head, cell].map((e) => e.getBoundingClientRect());
            return [box.scrollLeft, box.clientHeight < innerHeight, top.top - at.top, left.left - at.left];
            """)
        self.assertEqual(box[:2], [500, True])
        self.assertLess(abs(box[2]), 2, "the header stays at the top")
        self.assertLess(abs(box[3]), 2, "names of rows stay at the left")

    def test_in_the_dark(self) -> None:
        colours = "const of = (s) => getComputedStyle(document.querySelector(s)).backgroundColor;" \
                  "return [of('body'), of('.plot')]"
        self.open(Browser.small, prefers_color_scheme="light")
        self.assertEqual(self.script(colours), ["rgb(255, 255, 255)"] * 2)
        self.open(Browser.small, prefers_color_scheme="dark")
        body, plot = self.script(colours)
        self.assertEqual(plot, "rgb(255, 255, 255)")
        self.assertLess(max(int(part) for part in body[4:-1].split(",")), 50)
        self.screenshot("small-dark")

    def test_on_paper(self) -> None:
        self.open(Browser.small, media="print")
        shown = "return Array.from(document.querySelectorAll(arguments[0]), (e) => e.checkVisibility() && " \
                "e.getBoundingClientRect().height > 0)"
        self.assertEqual(self.script(shown, "tr.detail"), [True] * 12)
        for controls in ("select", "button", "nav"):
            self.assertNotIn(True, self.script(shown, controls), controls)
        self.assertNotIn(False, self.script(shown, "thead .printed"))
        pdf = base64.b64decode(self.command("Page.printToPDF", preferCSSPageSize=True)["data"])
        keep("small.pdf", pdf)
        self.assertEqual(pdf[:5], b"%PDF-")
        self.assertGreater(len(pdf), 50000)
        self.assertEqual(self.script("return document.querySelectorAll('details[open]').length"), 0)


if __name__ == "__main__":
    if lacking := missing():
        print(f"page_test: skipped: {lacking} not installed")
        sys.exit(77)
    unittest.main()
