// What differs between two lists of lines, written so that a change elsewhere changes none of it.

const ENOUGH = 50; // letters of a line, to name a place by

/**
 * Return the lines that turn `before` into `now`, or all lines of `now` if they are shorter.
 *
 * "@@ 2 after WORDS, 3 go": behind the second line after the one that begins with WORDS, which `before` has once, three
 * lines go, and the "+" lines come. So lists that differ have different changes, without numbers of lines, which would
 * change with each line that is added above.
 */
export function changes(before, now) {
  const found = [];
  let [left, right] = [0, 0];
  for (const [start, end] of [...kept(before, now), [before.length, now.length]]) {
    if (left < start || right < end) found.push(place(before, left) + (left < start ? `, ${start - left} go` : ""), ...now.slice(right, end).map((line) => `+${line}`));
    [left, right] = [start + 1, end + 1];
  }
  return before.length && (!now.length || size(found) < size(now)) ? found : now;
}

const size = (lines) => lines.join("\n").length;
const begun = (line) => line.trim().slice(0, ENOUGH);

/** Say behind which line of a list the line with this index is. */
function place(list, index) {
  const words = list.map(begun);
  const at = words.findLastIndex((one, nth) => nth < index && words.indexOf(one) === words.lastIndexOf(one));
  return `@@ ${index - at - 1} after ${words[at] ?? "the start"}`;
}

/** Return the pairs of indices of the longest list of lines that two lists share, in order. */
function kept(one, two) {
  const longest = Array.from({ length: one.length + 1 }, () => new Uint16Array(two.length + 1));
  for (let a = one.length - 1; a >= 0; a--) {
    for (let b = two.length - 1; b >= 0; b--) longest[a][b] = one[a] === two[b] ? longest[a + 1][b + 1] + 1 : Math.max(longest[a + 1][b], longest[a][b + 1]);
  }
  const pairs = [];
  for (let [a, b] = [0, 0]; a < one.length && b < two.length;) {
    if (one[a] === two[b]) pairs.push([a++, b++]);
    else if (longest[a + 1][b] >= longest[a][b + 1]) a++;
    else b++;
  }
  return pairs;
}
