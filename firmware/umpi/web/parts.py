"""What the page itself loads beside its files: its texts, the code to join, and what makes it an app."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import Response

from umpi.i18n.translate import current_language, tr
from umpi.table.state import NO_PAGE
from umpi.web import documents
from umpi.web.certificates import BadCertificate
from umpi.web.codes import Codes
from umpi.web.content import FRESH, PAGE, Answer, Content, fresh
from umpi.web.operations import Operation
from umpi.web.reading import Stop
from umpi.web.words import offline_page, words_of_page

if TYPE_CHECKING:  # it needs sockets, which a browser does not have
    from umpi.web.https import Https


class Parts:
    """Serve the parts of the page that are no files. `https` serves the page with a certificate, if it does."""

    def __init__(self, codes: Codes, https: Https | None) -> None:
        self._codes, self._https = codes, https

    @Operation("GET", "/api/words", "table")
    async def words(self, request: Request) -> Answer[documents.Words]:
        """Return what the page says, in the language of the box."""
        return _words(current_language()).answer(request)

    async def join(self, request: Request) -> Response:
        """Return the QR code of the page on which a phone joins, for the television."""
        address = self._codes.page()
        if not address:
            raise Stop(404, tr(NO_PAGE))
        return _join_code(f"{address.rstrip('/')}/#pair").answer(request)

    @Operation("GET", "/api/app", "box")
    async def as_app(self, request: Request) -> Answer[documents.App]:
        """Return the port of HTTPS, 0 if there is none; its hosts; the SHA-256 of what phones install for it."""
        https = self._https
        if not https or not https.port:
            return fresh({"port": 0, "hosts": [], "fingerprint": ""})
        try:
            fingerprint = https.authority()[1] if https.own else ""
        except BadCertificate:  # its file was removed just now
            fingerprint = ""
        return fresh({"port": https.port, "hosts": https.hosts, "fingerprint": fingerprint})

    async def authority(self, request: Request) -> Response:
        """Return the certificate of the box's authority, which a phone installs; never its key."""
        try:
            found = self._https.authority()[0] if self._https and self._https.own else None
        except BadCertificate:
            found = None
        if found is None:
            raise Stop(404, tr("This box has no certificate of its own."))
        return Response(found, media_type="application/x-x509-ca-cert", headers=FRESH)

    async def offline(self, request: Request) -> Response:
        """Return the page that an installed app shows if the box does not answer, in the language of the box."""
        return Content.of(offline_page(PAGE).encode(), "text/html").answer(request)


@lru_cache(maxsize=1)
def _words(language: str) -> Content[documents.Words]:
    return Content.json(documents.Words(language=language, words=words_of_page())).packed()


@lru_cache(maxsize=1)
def _join_code(address: str) -> Content[Any]:
    import segno  # slow to import, and few ask for a code

    drawn = io.BytesIO()
    segno.make(address, micro=False).save(drawn, kind="svg", border=2, light="white", omitsize=True)
    return Content.of(drawn.getvalue(), "image/svg+xml")
