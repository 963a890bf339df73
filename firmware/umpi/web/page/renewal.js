// After a restart, the box may serve another page: that of a new version, or one that phones can reach.

/** Load the page again if the box now serves another one. */
export async function renew() {
  const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const served = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (served.scripts.length && marks(served) !== marks(document)) location.reload();
}

/** Return what differs between pages: their script, whose name contains a hash of it, and the marks of the server. */
function marks({ documentElement, scripts }) {
  const { box, alone } = documentElement.dataset;
  return JSON.stringify([scripts[0].getAttribute("src"), box ?? null, alone ?? null]);
}
