"""The numbers of features.pxd, for the compiler of feature models."""

PLACES = {"STACK": FROM_STACK, "QUEUE": FROM_QUEUE}
