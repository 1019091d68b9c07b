"""examples/python/study.py, and the code in the pages about Python."""

import contextlib
import doctest
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import xml.dom.minidom
from fractions import Fraction

import hagg
from case import SOURCE, Case

PAGES = ("docs/howto/python.md", "python/README.md")


class Study(Case):
    def test_numbers_and_figure(self):
        self.set_environment("MPLCONFIGDIR", os.getcwd())
        printed = subprocess.run([sys.executable, "-B", SOURCE / "examples/python/study.py", "--short", "."],
                                 check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        found = json.loads(pathlib.Path("study.json").read_text())
        ratios = [Fraction(ratio) for ratio in found["ratios"]]
        self.assertEqual(len(ratios), 3)
        self.assertEqual([line.partition(":")[0] for line in printed],
                         ["study.svg", "cost / lower bound", "error of the mean", "elements of a share"])
        self.assertIn(f"{float(ratios[0]):.3f} with 10 clients", printed[1])
        self.assertEqual(sorted(ratios, reverse=True), ratios)
        self.assertGreater(min(ratios), 1)
        self.assertEqual(found["bits"], [8, 16])
        for bits, error, bound in zip(found["bits"], found["errors"], found["bounds"]):
            # half a step for each of 38 clients, divided by 38
            self.assertAlmostEqual(bound, 0.5 / (2 ** (bits - 1) - 1), delta=1e-3 * bound)
            self.assertLess(error, bound)
            self.assertGreater(error, bound / 100)
        # a share is uniform: 20000 elements in 20 bins; the vector is near 0, so at both ends
        self.assertTrue(all(0.04 < part < 0.06 for part in found["share"]))
        self.assertGreater(found["vector"][0] + found["vector"][-1], 0.9)
        self.assert_figure(pathlib.Path("study.svg"))

    def test_the_figure_in_docs_is_that_of_the_study(self):
        self.assert_figure(SOURCE / "docs/python-study.svg")

    def assert_figure(self, path):
        picture = xml.dom.minidom.parse(str(path))
        texts = {node.firstChild.data for node in picture.getElementsByTagName("text") if node.firstChild}
        for title in ("cost / lower bound", "error of the mean", "elements, as a part of the field"):
            self.assertIn(title, texts)


class Pages(Case):
    """Each block of Python is run, in the order of the page. Blocks with prompts must print what they show."""

    def test_blocks(self):
        for page in PAGES:
            with self.subTest(page):
                directory = pathlib.Path(page.replace("/", "-"))
                directory.mkdir()
                before = os.getcwd()
                os.chdir(directory)
                self.addCleanup(os.chdir, before)
                os.symlink(SOURCE / "examples", "examples")
                self.run_page(SOURCE / page)
                os.chdir(before)

    def test_readme(self):
        pathlib.Path("city.topo").write_text((SOURCE / "examples/city/city.topo").read_text())
        names = self.run_page(SOURCE / "README.md")
        self.assert_close(names["mean"], names["vectors"].mean(axis=0), 1e-6)

    def test_a_second_run_in_the_same_directory(self):
        self.run_page(SOURCE / "python/README.md")
        self.assert_fails(hagg.PrivacyError, 6, "", self.run_page, SOURCE / "python/README.md")

    def run_page(self, page):
        blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
        self.assertGreater(len(blocks), 0)
        names = {"__name__": "page"}
        for number, block in enumerate(blocks, 1):
            if ">>>" in block:
                test = doctest.DocTestParser().get_doctest(block, names, f"{page.name} {number}", page.name, 0)
                printed = io.StringIO()
                with contextlib.redirect_stdout(printed):
                    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, clear_globs=False)
                self.assertEqual(result.failed, 0, printed.getvalue())
                names.update(test.globs)
            else:
                exec(compile(block, f"{page.name}, block {number}", "exec"), names)
        return names

    def test_every_public_name_is_on_the_page(self):
        text = (SOURCE / "docs/howto/python.md").read_text()
        for name in hagg.__all__:
            self.assertRegex(text, rf"\b{name}\b")
