"""The IOMMU maps and unmaps every packet's memory at once (strict mode), and a CPU is full.

/sys/kernel/iommu_groups/N/type: DMA is strict, DMA-FQ defers the costly part, identity maps nothing
(Documentation/ABI/testing/sysfs-kernel-iommu_groups). How much of a CPU it takes only perf can tell, so no cost is
claimed.
"""

import re

from fullrate.checks._bus import file_of, is_virtual
from fullrate.checks._common import clear, is_full, link_of, measured, not_applicable, problem, saw, worst
from fullrate.checks._cpu import SATURATED, busiest_cpu
from fullrate.checks._profile import takes
from fullrate.records.facts.bus import DevicePath
from fullrate.records.finding import Ask, Confidence, Evidence, Finding, Remedy
from fullrate.records.leaf import Check, Per
from fullrate.records.trial import Trial
from fullrate.records.view import EndView, View

CAUSE = "iommu-strict"
_STRICT = "DMA"


def diagnose(view: View) -> Finding:
    """Whether strict mapping may be what fills a CPU at either end."""
    return worst(lambda: _side(view, view.sender), lambda: _side(view, view.receiver))


def _side(view: View, end: EndView) -> Finding:
    link = link_of(end)
    if is_virtual(end, link):
        return not_applicable(CAUSE, f"{link} is no physical link", end=end.end, subject=link)
    path = end.need(DevicePath, link)
    step = next((step for step in path.steps if step.iommu), None)
    if step is None:
        return not_applicable(CAUSE, f"no IOMMU translates for {link}", end=end.end, subject=link)
    evidence = [saw(file_of(path, step, "iommu_group/type"), "type", step.iommu)]
    if step.iommu != _STRICT:
        return clear(CAUSE, f"the IOMMU is not strict for {link}", evidence, end=end.end, subject=link)
    return _judge(view, view.trial(), end, evidence)


def _judge(view: View, trial: Trial, end: EndView, evidence: list[Evidence]) -> Finding:
    link = link_of(end)
    load = busiest_cpu(view, trial, end)
    evidence += [saw(load.source, f"CPU {load.cpu} busy", f"{load.busy:.0%}"), measured(trial)]
    if load.busy < SATURATED or is_full(view, trial):
        return clear(CAUSE, f"the IOMMU is strict for {link}, at no cost", evidence, end=end.end, subject=link)
    return problem(
        CAUSE,
        f"the IOMMU maps each packet of {link} strictly, and CPU {load.cpu} is full; perf would tell its part",
        evidence,
        end=end.end,
        subject=link,
        confidence=Confidence.LOW,
        asks=(Ask(text=f"perf top -C {load.cpu}: look for iommu_map, iommu_unmap, alloc_iova", end=end.end),),
        remedies=(_remedy(end, link),),
    )


def _remedy(end: EndView, link: str) -> Remedy:
    return Remedy(
        knob="kernel.cmdline",
        subject=link,
        value="iommu.strict=0",
        end=end.end,
        commands=(),
        undo=(),
        note="a kernel parameter, needs a reboot; it weakens the protection against devices that misbehave",
    )


# drivers/iommu: iova.c, dma-iommu.c, intel/iommu.c and dmar.c, amd/iommu.c, arm/arm-smmu-v3; older ones beside them
_MAPS = re.compile(
    r"qi_(?:submit_sync|flush\w*)|_*(?:alloc|free|find|private_find|remove|queue)_iova\w*|iova_\w+|_*iommu_\w+"
    r"|_*intel_(?:iommu_)?(?:un)?map\w*|_*domain_(?:mapping|flush\w*)|dma_pte_clear\w*|amd_iommu\w*|arm_smmu_\w+"
)


def glance(view: View) -> Finding | None:
    """That the functions which map memory for devices take a notable part of a profile that somebody showed."""
    ask = "cat /proc/cmdline; then test again with iommu.strict=0, or iommu=pt, at the next boot"
    return takes(view, CAUSE, _MAPS, "mapping memory for devices (IOMMU)", ask)


CHECK = Check(id=CAUSE, cause=CAUSE, diagnose=diagnose, per=Per.NIC, glance=glance)
