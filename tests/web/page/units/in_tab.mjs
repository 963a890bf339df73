// The page of a box that runs in this browser.

import { test } from "node:test";
import { unreached } from "./unreached.mjs";

test("the page of a box in a tab offers what such a box has", () => unreached("in-tab", "alone", "tab"));
