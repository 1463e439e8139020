"""Calling a row of stages: text, words, files and batches in, trees out."""
