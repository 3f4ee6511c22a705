import { z } from "zod";
import { isoDate } from "@/lib/utils/zod";

export const sessionOut = z
  .object({
    id: z.uuid(),
    createdAt: isoDate,
    expires: isoDate,
    /** Accurate to a day. */
    lastUsed: isoDate,
    /** A name such as "Chrome on Linux". */
    device: z.string(),
    /** Null when clients cannot be identified. */
    address: z.string().nullable(),
    current: z.boolean(),
  })
  .meta({ id: "Session" });

/** One event, or the last of `times` failures of one kind. */
export const activityOut = z.object({
  id: z.uuid(),
  action: z.string(),
  subject: z.string().nullable(),
  address: z.string().nullable(),
  createdAt: isoDate,
  times: z.number(),
  /** A sign-in from a browser that is new to the account. */
  newBrowser: z.boolean(),
});

export type SessionOut = z.infer<typeof sessionOut>;

export type Activity = z.infer<typeof activityOut>;
