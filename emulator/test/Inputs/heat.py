"""What a page of --report knows of cores and links."""
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    data = json.loads(re.search(r'id="data">(.*?)</script>', file.read(), re.S).group(1))
heat, clk = data["heat"], data["launches"][-1][1]
worked = [core for core in heat["cores"] if any(core[2:])]
most = max(link[3] for links in heat["links"] for link in links)
print(f"{len(heat['cores'])} cores, {len(worked)} of which worked; {len(heat['banks'])} banks; links that were taken:",
      *(bool(links) for links in heat["links"]), end="; ")
print("none for longer than the run:", most <= clk and max(max(core[2:]) for core in worked) <= clk)
