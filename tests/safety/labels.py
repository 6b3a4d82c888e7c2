"""Which names of controls on the saved pages a careful person wants to be asked about.

All of them were read by hand. The pages are not ours to copy, so only digests of the names stand here:
the first 16 digits of the SHA-256 of the name in UTF-8. Every name that is not here is harmless.
"""

from __future__ import annotations

import hashlib

# Links count like buttons: the name alone does not tell whether anything is agreed to behind it.
MONEY = """
    0296cd9639116738 041cae963066ccfe 0cc60490a82f02b7 138483cb1c7e4fe4 18a1558804aa3916
    2bf782bd655879b5 30b6f91eb9ac5360 39e53b5676189bfb 3fa5474fc7f83021 5493b2a518cd9d82
    5ff179f03e965262 6276fa0157d0d4ab 6355780d3e025cbf 641e11a323936db1 652135f2196a1fa9
    7200813cf26b1156 76b39e66aba0af54 7ec0261b8e8aa3e0 86e867be04320b1e 880e664ffcb5db1b
    90c1689b0b74f032 9515f0e2048ebb4d a63deadb8b917f71 aa5c1fd6d75fefcf c28712fabfd60d81
    c5efda82e7971670 c7a0d26a07237dd8 c91ee0f2799df915 cc0e38da9c41790b cd059f8a7a36a581
    da0065264d6df1cc da762117ebf0478a db4f791890bb90db dd1edb44f082a40f e5e644cfdce3bf97
    e8b0a6f4d820a051 f26ce479da50fe9a
""".split()
SEND = """
    1c15f820bba151b1 2c21fb7ec73500b4 34e1417ebb58dcfb 44f5e3fbec57be75 62ede0424289fb4e
    8572d639a935e8ee 858e07fdf9e019f4 c4d891e9a87e535f d7653a98f127d549 dd4e3d54cfbcc78e
    e51bbf41f0397a2d
""".split()
DELETE = """
    e2d0a54968ead24e
""".split()
REASONS = {
    digest: reason
    for reason, digests in (("money", MONEY), ("send", SEND), ("delete", DELETE))
    for digest in digests
}


def reason_to_ask(name: str) -> str:
    """Why one would want to be asked; "" for a harmless name."""
    return REASONS.get(hashlib.sha256(name.encode()).hexdigest()[:16], "")
