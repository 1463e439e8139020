"""The transition systems that come with headway, and where they are described."""

OURS = {
    "arc-eager": "headway.kernels.transition.systems.arc_eager:SYSTEM",
    "arc-standard": "headway.kernels.transition.systems.arc_standard:SYSTEM",
    "swap": "headway.kernels.transition.systems.swap:SYSTEM",
}
