# SPDX-License-Identifier: MIT OR Unlicense
"""The examples of the README run."""
import pathlib
import re

README = (pathlib.Path(__file__).parents[1] / "README.md").read_text()


def test_readme(capsys):
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})
    out = capsys.readouterr().out
    assert "job 2 is promised second 100" in out
    assert "start 1\n" in out
