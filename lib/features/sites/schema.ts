import { z } from "zod";
import { NAME_MAX, PASSWORD_MAX, URL_MAX, USERNAME_MAX } from "@/lib/features/sites/rules";
import { isoDate, patchInput, text } from "@/lib/utils/zod";

/** What a user says of a site at a new address: it is the known one, moved there, or another one. */
export const siteAnswer = z.enum(["same", "other"]).optional();

/** The input of the calls that need no more. */
export const siteInput = z
  .object({ site: siteAnswer })
  .optional()
  .transform((input) => input ?? {});

const site = {
  url: text(URL_MAX, 1),
  username: text(USERNAME_MAX, 1),
  /** An application password. */
  password: text(PASSWORD_MAX, 1),
  /** What you call it; empty or null: as its address. */
  name: text(NAME_MAX).nullish(),
};

export const addSiteInput = z.object(site);

/** A new address needs its password. `isDefault`: projects without a post follow it from now on. */
export const updateSiteInput = patchInput(z.object({ ...site, isDefault: z.literal(true) }));

export const siteOut = z
  .object({
    id: z.uuid(),
    /** What the user calls it, else its address. */
    name: z.string(),
    url: z.string().nullable(),
    username: z.string().nullable(),
    hasPassword: z.boolean(),
    /** WordPress' version and the account's role, as of the last test. */
    version: z.string().nullable(),
    role: z.string().nullable(),
    isDefault: z.boolean(),
    /** Projects that are on it, without those that follow the default site. */
    projects: z.number().int(),
    lastContactAt: isoDate.nullable(),
  })
  .meta({ id: "Site" });

/** What the site says of itself; what it hides is null, or missing in the list. */
const siteReport = z.object({
  name: z.string(),
  url: z.string(),
  version: z.string().nullable(),
  role: z.string().nullable(),
  mayNot: z.array(z.string()),
  plugins: z.array(z.string()),
});

/** The result of checking the stored credentials. */
export const connectionOut = z.object({
  ok: z.literal(true),
  site: z.string(),
  report: siteReport,
  roles: z.array(z.string()),
  warnings: z.array(z.string()),
  /** What SITE_UNCERTAIN asks; `site` in the next call answers it. Null: the site is recognised. */
  question: z.string().nullable(),
});

export type SiteAnswer = z.infer<typeof siteAnswer>;
export type AddSiteInput = z.infer<typeof addSiteInput>;
export type UpdateSiteInput = z.infer<typeof updateSiteInput>;
export type SiteOut = z.infer<typeof siteOut>;
export type ConnectionOut = z.infer<typeof connectionOut>;
