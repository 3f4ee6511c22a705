/**
 * The constants by which the plugin in public/wordpress knows SEO plugins, and the keys that it registers for them: none for
 * SEOPress, which has routes of its own.
 */
export const SEO_PLUGINS = {
  WPSEO_VERSION: ["_yoast_wpseo_title", "_yoast_wpseo_metadesc", "_yoast_wpseo_focuskw"],
  RANK_MATH_VERSION: ["rank_math_title", "rank_math_description", "rank_math_focus_keyword"],
  THE_SEO_FRAMEWORK_VERSION: ["_genesis_title", "_genesis_description"],
  SEOPRESS_VERSION: [],
} as const;

export type SeoPlugin = keyof typeof SEO_PLUGINS;

export function keysOf(plugins: readonly SeoPlugin[]): string[] {
  return plugins.flatMap((plugin) => [...SEO_PLUGINS[plugin]]);
}
