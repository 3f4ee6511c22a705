import { z } from "zod";
import { sentenceOf } from "@/lib/utils/zod-sentences";

// Wherever a schema has no sentence of its own, ours stands in place of zod's.
z.config({ customError: sentenceOf });

// zod compiles object parsers with `new Function`, which our policy for scripts refuses; even its probe for that would be
// reported as a violation. It decides when a schema is made: import this before making one.
if (typeof window !== "undefined") z.config({ jitless: true });
