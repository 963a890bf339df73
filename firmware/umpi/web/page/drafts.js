// The answer that a player has begun, in the storage of this tab: a phone that sleeps may throw the page away.

const KEPT = "umpi draft";

const draftOf = ({ match, question, ask, begun, entered, named, opened, sent }) => ({ match, question, ask, begun, entered, named, opened: [...opened], sent });

/** Return drafts that are gone with the page. */
export function shortDrafts() {
  let kept = null;
  return { write(entry) { kept = entry && draftOf(entry); }, read: () => kept };
}

export const drafts = {
  /** Keep an Entry, or forget the last one. */
  write(entry) {
    try {
      if (!entry) return sessionStorage.removeItem(KEPT);
      sessionStorage.setItem(KEPT, JSON.stringify(draftOf(entry)));
    } catch {
      // the browser keeps nothing: then the answer is lost with the page
    }
  },

  /** Return what was kept, or null. */
  read() {
    try {
      return JSON.parse(sessionStorage.getItem(KEPT));
    } catch {
      return null;
    }
  },
};
