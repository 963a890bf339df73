"""What the page itself loads beside its files: its texts, the code to join, and what makes it an app."""

from __future__ import annotations

import io
import json
from functools import lru_cache

import segno
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from umpi.i18n.translate import current_language, template, tr
from umpi.table.state import NO_PAGE
from umpi.web.certificates import BadCertificate
from umpi.web.content import FRESH, PAGE, Content
from umpi.web.https import Https
from umpi.web.pairing import Codes
from umpi.web.reading import error
from umpi.web.words import offline_page, page_texts


class Parts:
    """Serve the parts of the page that are no files. `https` serves the page with a certificate, if it does."""

    def __init__(self, codes: Codes, https: Https | None) -> None:
        self._codes, self._https = codes, https

    async def words(self, request: Request) -> Response:
        """Return the texts of the page in the language of the box."""
        return _words(current_language()).answer(request)

    async def join(self, request: Request) -> Response:
        """Return the QR code of the page on which a phone joins, for the television."""
        address = self._codes.address
        if not address:
            return error(404, tr(NO_PAGE))
        return _join_code(f"{address.rstrip('/')}/#pair").answer(request)

    async def as_app(self, request: Request) -> Response:
        """Return where HTTPS is, by which the page becomes an app, and what a phone must install for it."""
        https = self._https
        if not https or not https.port:
            return JSONResponse({"port": 0, "hosts": [], "fingerprint": ""}, headers=FRESH)
        try:
            fingerprint = https.authority()[1] if https.own else ""
        except BadCertificate:  # its file was removed just now
            fingerprint = ""
        return JSONResponse({"port": https.port, "hosts": https.hosts, "fingerprint": fingerprint}, headers=FRESH)

    async def authority(self, request: Request) -> Response:
        """Return the certificate of the box's authority, which a phone installs; never its key."""
        try:
            found = self._https.authority()[0] if self._https and self._https.own else None
        except BadCertificate:
            found = None
        if found is None:
            return error(404, tr("This box has no certificate of its own."))
        return Response(found, media_type="application/x-x509-ca-cert", headers=FRESH)

    async def offline(self, request: Request) -> Response:
        """Return the page that an installed app shows if the box does not answer, in the language of the box."""
        return Content.of(offline_page(PAGE).encode(), "text/html").answer(request)


@lru_cache(maxsize=1)
def _words(language: str) -> Content:
    words = {text: template(text) for text in page_texts()}
    return Content.of(json.dumps({"language": language, "words": words}, ensure_ascii=False).encode()).packed()


@lru_cache(maxsize=1)
def _join_code(address: str) -> Content:
    drawn = io.BytesIO()
    segno.make(address, micro=False).save(drawn, kind="svg", border=2, light="white", omitsize=True)
    return Content.of(drawn.getvalue(), "image/svg+xml")
