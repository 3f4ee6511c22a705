import { encodeTitle } from "@/lib/wordpress/entities";

/** Where SEO plugins keep what search engines read of a post. WordPress shows a key only if a plugin has registered it. */
const META_KEYS = {
  metaTitle: ["_yoast_wpseo_title", "rank_math_title", "_genesis_title"],
  metaDescription: ["_yoast_wpseo_metadesc", "rank_math_description", "_genesis_description"],
  focusKeyword: ["_yoast_wpseo_focuskw", "rank_math_focus_keyword"],
} as const;

export type MetaField = keyof typeof META_KEYS;

export const META_FIELDS = Object.keys(META_KEYS) as readonly MetaField[];

/** By their keys. */
export type PostMeta = Record<string, string>;

/** Asks for these alone: a site may have texts of any length among the others. */
export const META_QUERY = META_FIELDS.flatMap((field) => META_KEYS[field].map((key) => `meta.${key}`)).join();

/** The fields that a site accepts, as its answer's keys show. */
export function acceptedFields(meta: PostMeta): MetaField[] {
  return META_FIELDS.filter((field) => keysIn(meta, field).length > 0);
}

/** What a site has of a field, once for each SEO plugin. */
export function valuesOf(meta: PostMeta, field: MetaField): string[] {
  return keysIn(meta, field).map((key) => meta[key] ?? "");
}

/** These fields under the keys that the site has shown: as text, since WordPress would remove what looks like tags. */
export function metaOf(fields: Partial<Record<MetaField, string>>, shown: PostMeta): PostMeta {
  return Object.fromEntries(
    META_FIELDS.flatMap((field) => {
      const text = fields[field];
      return text ? keysIn(shown, field).map((key) => [key, encodeTitle(text)]) : [];
    }),
  );
}

function keysIn(meta: PostMeta, field: MetaField): string[] {
  return META_KEYS[field].filter((key) => Object.hasOwn(meta, key));
}
