// Shows the hall as it is now: after each change it asks for the tables and the boards again.
const main = document.querySelector("main");
let asking = false, again = false;

async function refresh() {
  if (asking) { again = true; return; }
  asking = true;
  try {
    const answer = await fetch(`part${location.search}`);
    if (answer.ok) main.innerHTML = await answer.text();
  } finally {
    asking = false;
    if (again) { again = false; setTimeout(refresh, 100); }
  }
}

function follow() {
  const events = new EventSource("events");
  events.addEventListener("state", refresh);
  events.onerror = () => { events.close(); setTimeout(follow, 2000); };
}
follow();
