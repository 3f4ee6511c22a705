import type { WordPressBuild } from "@/scripts/wordpress-builds";

/** A kind of WordPress site that publishing is tested on. */
export type TestedSite = {
  /** Build, permalinks and place: `newest-plain-subdirectory`. */
  name: string;
  title: string;
  options: { build: WordPressBuild; permalinks: "pretty" | "plain"; subdirectory?: string; network?: true };
};

const BUILDS: Record<WordPressBuild, string> = {
  debian: "WordPress 6.1 on MariaDB",
  oldest: "WordPress 6.2 on SQLite",
  newest: "WordPress 6.7 alpha on SQLite",
};
const PLACES = {
  root: { title: "at the root", options: {} },
  subdirectory: { title: "in a subdirectory", options: { subdirectory: "/blog" } },
  network: { title: "in a network of sites", options: { network: true } },
} as const;

const SITES: TestedSite[] = (Object.keys(BUILDS) as WordPressBuild[]).flatMap((build) =>
  (["pretty", "plain"] as const).flatMap((permalinks) =>
    Object.entries(PLACES).map(([place, { title, options }]) => ({
      name: `${build}-${permalinks}-${place}`,
      title: `${BUILDS[build]} with ${permalinks} permalinks ${title}`,
      options: { build, permalinks, ...options },
    })),
  ),
);

/** The sites whose names begin with one of these words, separated by commas: `debian,newest-plain`. By default all. */
export function testedSites(words = ""): TestedSite[] {
  if (words === "") return SITES;
  const prefixes = words.split(",").map((word) => word.trim());
  const unknown = prefixes.find((prefix) => prefix === "" || !SITES.some(({ name }) => name.startsWith(prefix)));
  if (unknown !== undefined)
    throw new Error(`No site is called "${unknown}". There are ${SITES.map(({ name }) => name).join(", ")}.`);
  return SITES.filter(({ name }) => prefixes.some((prefix) => name.startsWith(prefix)));
}
