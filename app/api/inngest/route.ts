import { serve } from "inngest/next";
import { functions } from "@/inngest/all-functions";
import { inngest } from "@/lib/events/client";

/** Where the engine calls our functions; unsigned and wrongly signed calls are refused by the SDK. */
export const { GET, POST, PUT } = serve({ client: inngest, functions });

export const maxDuration = 300;
