"""Servers that nobody here wrote, to hold our model client against: an OpenAI-compatible API, random weights.

Fakes answer as we believe that servers answer. These two answer as they do: `xllamacpp`, which is llama.cpp's own
server in a wheel (`pip install xllamacpp`: seconds), and `llama_cpp`, a server in Python around the same engine
(`pip install 'llama-cpp-python[server]'`: a compiler and some minutes). Each is installed in an environment of its own,
never in ours, and both read the file that `model.py` writes.
"""
