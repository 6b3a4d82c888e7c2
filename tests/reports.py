"""Pages that report to the site what happened in them, so that the server can be asked."""

from __future__ import annotations

from tests.site import Site

# In a page: say('clicked', event.isTrusted) is one request; `reports` reads them back in order.
SAY = """<script>
  let saying = Promise.resolve();
  const post = async (body) => (await fetch('/said', { method: 'POST', body })).text();
  const say = (...words) => { saying = saying.then(() => post(words.join(' '))); };
</script>"""


def reporting(site: Site, body: str, path: str = "/") -> str:
    """Put a page up that can `say` things, and return its address."""
    site.pages["/said"] = "ok"
    return site.page(SAY + body, path)


def reports(site: Site) -> list[str]:
    return [request.body for request in site.requests if request.path == "/said"]
