import { z } from "zod";

// zod compiles object parsers with `new Function`, which our policy for scripts refuses; even its probe for that would be
// reported as a violation. It decides when a schema is made: import this before making one.
if (typeof window !== "undefined") z.config({ jitless: true });
