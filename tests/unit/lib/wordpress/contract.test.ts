import { type SampleWordPressOptions, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { describeWordPressContract } from "@/tests/support/wordpress/contract";
import { keysOf, type SeoPlugin } from "@/tests/support/wordpress/seo-plugins";

async function start(options: SampleWordPressOptions) {
  const site = await startSampleWordPress(options);
  const activate = (plugins: readonly SeoPlugin[]) => {
    site.registerMeta(keysOf(plugins));
    site.setSeoPress(plugins.includes("SEOPRESS_VERSION"));
  };
  return { ...site, activate, stop: site.close };
}

describeWordPressContract("the sample site with pretty permalinks", () => start({}));

describeWordPressContract("the sample site with plain permalinks in a subdirectory", () =>
  start({ permalinks: "plain", subdirectory: "/blog" }),
);
