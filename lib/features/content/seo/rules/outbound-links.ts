import { linksByHost } from "@/lib/features/content/seo/hosts";
import { fair, good, type Rule } from "@/lib/features/content/seo/rule";
import { counted } from "@/lib/features/content/seo/wording";

/** House rule: a reader can check what is claimed. */
export const outboundLinks: Rule = {
  name: "Links to other sites",
  why: "Readers can check what you claim.",
  judge({ links, site }) {
    const { others } = linksByHost(links, site);
    if (others.length > 0)
      return good(others.length, `${counted(others.length, "link leads", "links lead")} to other sites.`);
    return fair(0, "No link leads to another site.", "Link to where a figure or a claim comes from.");
  },
};
