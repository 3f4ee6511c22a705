import { linksByHost } from "@/lib/features/content/seo/hosts";
import { good, poor, type Rule } from "@/lib/features/content/seo/rule";
import { counted } from "@/lib/features/content/seo/wording";

/** Source: Google Search Central, "Make your links crawlable": every page that matters has a link from another one. */
export const internalLinks: Rule = {
  name: "Links to your own site",
  why: "They lead readers on, and search engines to your other posts.",
  judge({ links, site }) {
    const { own } = linksByHost(links, site);
    if (own.length > 0) return good(own.length, `${counted(own.length, "link leads", "links lead")} to your own site.`);
    return poor(0, "No link leads to your own site.", "Link to a post that goes on from here.");
  },
};
