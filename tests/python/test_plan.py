"""Plans, compared with the commands and with formulas."""

import pathlib
import subprocess
import xml.dom.minidom
from fractions import Fraction

import hagg
from case import SOURCE, Case
from hagg._command import find, run_bytes

CITY = (SOURCE / "examples/city/city.topo").read_text()


class Plans(Case):
    def test_from_text_and_from_a_path(self):
        pathlib.Path("city.topo").write_text(CITY)
        plans = [hagg.Plan.from_topology(CITY), hagg.Plan.from_topology("city.topo"),
                 hagg.Plan.from_topology(pathlib.Path("city.topo"))]
        text = subprocess.run([find("hagg-plan"), "-q", "city.topo"], capture_output=True, text=True, check=True).stdout
        for plan in plans:
            self.assertEqual(plan.text, text)
            self.assertIsNone(plan.path)
        plans[0].save("city.plan")
        self.assertEqual(plans[0].path, pathlib.Path("city.plan"))
        again = hagg.Plan("city.plan")
        self.assertEqual((again.text, again.digest), (text, plans[0].digest))
        digest = run_bytes("hagg-plan", "--digest", "city.plan").decode()
        self.assertEqual(digest.replace(" ", "").strip(), again.digest)

    def test_what_a_plan_says(self):
        plan = hagg.Plan.from_topology("""
            field    m61
            collude  full clients=2 stations=1
            drop     clients=1 stations=1 relays=1
            quantize bits=20 clip=256 rounding=stochastic
            samples
            length   7
            stations 5
            relays   4
            station  1 2 via 1 2
            station  3   via 2 3
            station  4 5 via 3 4
            client   1-3 via 1-5
            client   7   via 1-4
            client   5   via 1-5
        """)
        self.assertEqual(plan.clients, (1, 2, 3, 5, 7))
        self.assertEqual((list(plan.stations), list(plan.relays)), ([1, 2, 3, 4, 5], [1, 2, 3, 4]))
        self.assertEqual((plan.field, plan.protocol, plan.scheme), ("m61", "aligned", "aligned"))
        self.assertEqual(plan.collusion, "full")
        self.assertEqual(plan.collude, hagg.Counts(2, 1, 0))
        self.assertEqual(plan.drop, (1, 1, 1))
        self.assertEqual((plan.minimum, plan.samples, plan.length, plan.transform), (4, True, 7, False))
        self.assertEqual(plan.quantize, hagg.Quantize(20, 256.0, "stochastic"))
        self.assertEqual(plan.quantize.step, 256 / (2**19 - 1))
        self.assertEqual((plan.integers, plan.most_samples), (None, None))
        survey = hagg.Plan("stations 3\nclient 1-5 via 1-3\nintegers -1..5\nsamples most=9\n")
        self.assertEqual((survey.field, survey.integers, survey.most_samples), ("prime:p=251", (-1, 5), 9))
        self.assertIsNone(plan.identities)
        self.assertEqual(plan.stations_of(7), (1, 2, 3, 4))
        self.assertEqual(plan.relays_of(3), (2, 3))
        self.assertRaises(KeyError, plan.stations_of, 4)
        self.assertEqual(repr(plan), "<hagg.Plan: 5 clients, 5 stations, 4 relays, protocol aligned, full collusion of "
                                     "2 clients and 1 station>")

    def test_options_of_the_planner(self):
        self.assertEqual(hagg.Plan.from_topology(CITY, protocol="aligned").protocol, "aligned")
        keep = hagg.Plan.from_topology(CITY, keep=True)
        self.assertEqual(keep.stations_of(3), (1, 2, 3, 4, 5))
        self.assert_fails(hagg.UsageError, 2, "--effort", hagg.Plan.from_topology, CITY, effort=10)
        self.assert_fails(hagg.DamagedError, 3, "hagg-plan: topology:2: ",
                          hagg.Plan.from_topology, "stations 3\nnonsense\n")

    def test_no_private_plan(self):
        self.assert_fails(hagg.PrivacyError, 6, "", hagg.Plan.from_topology, """
            collude full clients=1 stations=1
            protocol keys
            stations 5
            client 1 2 via 1-3
            client 3 via 3-5
        """)


class Costs(Case):
    def test_exact_fractions(self):
        # README: the round of six clients
        cost = hagg.Plan.from_topology(CITY).cost()
        self.assertEqual((cost.total, cost.bound, cost.sharper), (Fraction(67, 3), Fraction(47, 3), Fraction(50, 3)))
        self.assertEqual(cost.links, {"clients to stations": 13, "station to station": Fraction(16, 3),
                                      "stations to federator": 4})
        self.assertEqual(cost.ratio, Fraction(67, 47))
        # five clients draw two halves each, and the sixth two vectors; a mask has 6 of its 8 parts drawn
        self.assertEqual((cost.drawn, cost.dealt), ({"clients": 7, "stations": 5, "total": 12}, Fraction(16, 3)))
        self.assertEqual(cost.protocols["aligned", "reached"], Fraction(205, 9))
        self.assertEqual((cost.symbols, cost.size), (None, None))

    def test_a_formula(self):
        # n clients over m stations, z of which may collude: (n + 1) m / (m - z), and no masks
        for n, m, z in ((5, 3, 1), (20, 7, 3)):
            plan = hagg.Plan.from_topology(f"collude full stations={z}\nstations {m}\nclient 1-{n} via 1-{m}\n")
            cost = plan.cost(length=(m - z) * 10)
            self.assertEqual(cost.total, Fraction((n + 1) * m, m - z))
            self.assertEqual(cost.symbols, (n + 1) * m * 10)
            self.assertGreater(cost.size, 4 * cost.symbols)
            # two lengths that have as many bytes in a header
            short, long = plan.cost(length=(m - z) * 2000), plan.cost(length=(m - z) * 4000)
            self.assertEqual(long.size - short.size, 4 * (long.symbols - short.symbols))


class Audits(Case):
    def test_a_private_plan(self):
        audit = hagg.Plan.from_topology(CITY).audit()
        self.assertIs(audit.private, True)
        self.assertTrue(audit)
        self.assertEqual((audit.coalitions, audit.leaks, audit.objection), (120, (), None))

    def test_conditions(self):
        plan = hagg.Plan.from_topology(CITY)
        self.assertTrue(plan.audit(require="stations>=2 clients>=1"))
        audit = plan.audit(require="stations>=3")
        self.assertFalse(audit)
        self.assertIs(audit.private, True)
        self.assert_fails(hagg.UsageError, 2, "nonsense", plan.audit, require="nonsense>=3")

    def test_leaks(self):
        audit = hagg.Plan("stations 3\nclient 1-3 via 1-3\ncollude full stations=0\n").audit()
        self.assertIs(audit.private, False)
        self.assertFalse(audit)
        self.assertEqual([leak.stations for leak in audit.leaks], [(1,), (2,), (3,)])
        self.assertEqual(audit.leaks[0].learns, ("clients 1-3: a third of each vector",))
        self.assertFalse(audit.leaks[0].federator)

    def test_an_objection(self):
        audit = hagg.Plan("stations 3\nminimum 2\nclient 1-3 via 1-3\ncollude full clients=1 stations=1\n").audit()
        self.assertIs(audit.private, False)
        self.assertEqual(audit.leaks, ())
        self.assertIn("minimum", audit.objection)


class Drawings(Case):
    def test_dot_and_svg(self):
        plan = hagg.Plan.from_topology(CITY)
        self.assertIn("label=", plan.draw("dot"))
        self.assertNotEqual(plan.draw("dot"), plan.draw("dot", what="patterns"))
        picture = xml.dom.minidom.parseString(plan.draw())
        self.assertEqual(picture.documentElement.tagName, "svg")
        # six clients, five stations and the federator
        nodes = [g for g in picture.getElementsByTagName("g") if g.getAttribute("class") == "node"]
        self.assertEqual(len(nodes), 12)
        self.assert_fails(hagg.UsageError, 2, "nonsense", plan.draw, what="nonsense")
        self.assertEqual(plan.draw("png")[:4], b"\x89PNG")
        self.assert_fails(hagg.CommandError, 1, "nonsense", plan.draw, "nonsense")

    def test_without_graphviz(self):
        plan = hagg.Plan.from_topology(CITY)
        self.set_environment("PATH", "/nowhere")
        self.assert_fails(hagg.CommandError, 1, "install Graphviz", plan.draw)
