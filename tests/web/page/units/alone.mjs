// The page on a computer that offers it to no network.

import { test } from "node:test";
import { unreached } from "./unreached.mjs";

test("a page that only this computer reaches says how phones could", () => unreached("alone", "alone"));
