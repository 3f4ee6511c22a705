import { z } from "zod";
import { decodeEntities } from "@/lib/utils/plain-text";
import { storable, storableUpTo } from "@/lib/utils/text";
import type { PostMeta } from "@/lib/wordpress/meta";

/** Longer URLs are dropped: a truncated one would lead elsewhere. */
export const ADDRESS_MAX = 2_000;
/** WordPress' own limit. */
const NAME_MAX = 200;
/** More than any site sends; it is checked before the items. */
export const LIST_MAX = 1_000;

/** A text is truncated and made storable, since a site may send anything. */
const siteText = (max: number) => z.string().transform((value) => storableUpTo(value, max));

const siteAddress = z.string().transform((value) => (value.length > ADDRESS_MAX ? null : storable(value)));

/** A date in UTC, without a zone. */
const siteDate = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);

const webAddress = siteAddress.transform((value) =>
  value !== null && URL.canParse(value) && /^https?:/i.test(value) ? value : null,
);

const name = z.string().transform((value) => storableUpTo(decodeEntities(value.slice(0, 10 * NAME_MAX)), NAME_MAX));

const siteList = <Item extends z.ZodType>(item: Item) => z.preprocess(listOfPhp, z.array(item).max(LIST_MAX));

export const siteIndex = z.object({
  namespaces: z
    .array(z.string())
    .max(LIST_MAX)
    .refine((names) => names.includes("wp/v2")),
  // An object of methods, or an empty list when application passwords are off.
  authentication: z.unknown().transform((methods) => (Array.isArray(methods) && methods.length === 0 ? "off" : "on")),
});

const passwordMethod = z.object({
  "application-passwords": z.object({ endpoints: z.object({ authorization: webAddress }) }),
});

/** What a site says of itself; anything else in its place is null, or empty. `routes` may be an empty list. */
export const siteIdentity = z
  .object({
    name: name.nullable().catch(null),
    url: webAddress.nullable().catch(null),
    home: webAddress.nullable().catch(null),
    /** Each plugin with a REST API has its own. */
    namespaces: siteList(siteText(NAME_MAX)).catch([]),
    authentication: passwordMethod.nullable().catch(null),
    routes: z.looseObject({}).or(z.array(z.unknown()).max(0)),
  })
  .transform(({ routes, authentication, ...said }) => ({
    ...said,
    /** Where a user lets an application in; null where application passwords are off. */
    authorization: authentication?.["application-passwords"].endpoints.authorization ?? null,
    hasBatch: Object.hasOwn(routes, "/batch/v1"),
  }));

export const restError = z.object({
  code: siteText(NAME_MAX),
  message: z.string().catch(""),
  data: z.unknown().optional(),
});

export const termExists = z.object({ term_id: z.coerce.number().int().positive() });

/** We read only those we use: there may be thousands. */
const capability = z.unknown().transform((value) => value === true);
const capabilities = z
  .object({
    publish_posts: capability,
    manage_categories: capability,
    edit_others_posts: capability,
    upload_files: capability,
  })
  .partial();

export const account = z.object({
  id: z.number().int(),
  roles: siteList(siteText(NAME_MAX)),
  capabilities: z.preprocess(recordOfPhp, capabilities),
});

export const category = z.object({ id: z.number().int().positive(), name });

/** `parent`: the id of the category that it is below; 0 at the top. */
export const placedCategory = category.extend({ parent: z.number().int().catch(0) });

export const createdCategory = category.extend({ parent: z.number().int(), count: z.number().int() });

/** Those that are one text; none where no plugin has registered any. */
const meta = z
  .preprocess(recordOfPhp, z.record(z.string(), z.unknown()))
  .transform((all): PostMeta => Object.fromEntries(Object.entries(all).filter(isText)))
  .catch({});

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === "string";
}

export const post = z
  .object({
    id: z.number().int().positive(),
    status: siteText(NAME_MAX),
    /** Null when too long. */
    link: siteAddress,
    slug: z.string(),
    title: z.object({ raw: z.string() }),
    content: z.object({ raw: z.string() }),
    /** Set when the post is made and never changed, wherever the site moves. Null when missing or too long. */
    guid: z.object({ raw: siteAddress }).nullable().catch(null),
    /** The date of the first publication; a draft's date moves with every change until then. */
    date_gmt: siteDate.nullable().catch(null),
    /** When the post was last changed, by the site's clock. */
    modified_gmt: siteDate.nullable().catch(null),
    /** Null when the site does not say. */
    categories: siteList(z.number().int().positive()).nullable().catch(null),
    /** Null when the site does not say, as after a write. */
    excerpt: z.object({ raw: z.string() }).nullable().catch(null),
    meta,
  })
  .transform(({ title, content, excerpt, guid, date_gmt, modified_gmt, ...rest }) => ({
    ...rest,
    excerpt: excerpt?.raw ?? null,
    title: title.raw,
    content: content.raw,
    guid: guid?.raw ?? null,
    dateGmt: date_gmt,
    modifiedGmt: modified_gmt,
  }));

/** The post as any visitor sees it: a rendered guid has its entities encoded. */
export const publicPost = z
  .object({
    id: z.number().int().positive(),
    guid: z
      .object({ rendered: siteAddress.transform((value) => value && decodeEntities(value)) })
      .nullable()
      .catch(null),
    date_gmt: siteDate.nullable().catch(null),
    slug: z.string().optional().catch(undefined),
  })
  .transform(({ guid, date_gmt, ...rest }) => ({ ...rest, guid: guid?.rendered ?? null, dateGmt: date_gmt }));

export const markedPost = z
  .object({
    id: z.number().int().positive(),
    status: z.string(),
    slug: z.string(),
    content: z.object({ raw: z.string() }),
    excerpt: z.object({ raw: z.string() }).catch({ raw: "" }),
    meta,
  })
  .transform(({ content, excerpt, ...rest }) => ({ ...rest, isEmpty: (content.raw + excerpt.raw).trim() === "" }));

export const removedPost = z.object({ deleted: z.literal(true) });

export const batchAnswer = z.object({
  // One that is no answer does not spoil the others.
  responses: z.array(z.object({ status: z.number().int(), body: z.unknown() }).nullable().catch(null)),
});

export type WordPressCategory = z.infer<typeof category>;
export type PlacedCategory = z.infer<typeof placedCategory>;
export type SiteIndex = z.infer<typeof siteIdentity>;
export type WordPressPost = z.infer<typeof post>;

/** PHP encodes a list with gaps as an object. */
function listOfPhp(value: unknown): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.values(value) : value;
}

/** PHP encodes an empty record as a list. */
function recordOfPhp(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? {} : value;
}
