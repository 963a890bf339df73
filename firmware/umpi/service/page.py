"""The page for phones, whose code is imported only when the panel shows the first picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from umpi.box.config import Config, WebPlan
from umpi.referee.view_state import ViewState

if TYPE_CHECKING:  # this is what is imported late
    from umpi.service.loop import Loop
    from umpi.web.app import WebApp
    from umpi.web.codes import Codes
    from umpi.web.publisher import Publisher


class LatePage:
    """Keep the newest view of a box until its page is opened. From then on, publish every view.

    `on_https` is called with the reason why HTTPS does not work, "" if it works again.
    """

    def __init__(self, config: Config, codes: Codes, on_https: Callable[[str], object]) -> None:
        self._config, self._codes, self._on_https = config, codes, on_https
        self._view = ViewState()
        self._publisher: Publisher | None = None

    def publish(self, view: ViewState) -> None:
        """Publish a view to the phones."""
        self._view = view
        if self._publisher:
            self._publisher.publish(view)

    def open(self, loop: Loop) -> WebApp:
        """Return the web application of the box that `loop` runs. Its imports take as long as those of the game."""
        from umpi.web.app import WebApp
        from umpi.web.https import https_of
        from umpi.web.publisher import Publisher

        plan = self._config.desk or WebPlan()
        self._publisher = Publisher(self._codes)
        self._publisher.publish(self._view)
        https = https_of(self._config, self._on_https)
        return WebApp(loop, self._codes, self._publisher, plan.names, plan.trusted_proxy, self._config.name, https)
