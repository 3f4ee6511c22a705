import { z } from "zod";
import { issueMessage } from "@/lib/utils/zod-sentences";

// Our messages replace zod's wherever a schema has none.
z.config({ customError: issueMessage });

// zod compiles parsers with `new Function`, which our content security policy blocks; even its probe would be reported.
// It decides when a schema is created, so import this first.
if (typeof window !== "undefined") z.config({ jitless: true });
