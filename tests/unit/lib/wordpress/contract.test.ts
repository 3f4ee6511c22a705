import { type SampleWordPressOptions, startSampleWordPress } from "@/scripts/samples/wordpress-site";
import { describeWordPressContract } from "@/tests/support/wordpress/contract";

async function start(options: SampleWordPressOptions) {
  const site = await startSampleWordPress(options);
  return { ...site, stop: site.close };
}

describeWordPressContract("the sample site with pretty permalinks", () => start({}));

describeWordPressContract("the sample site with plain permalinks in a subdirectory", () =>
  start({ permalinks: "plain", subdirectory: "/blog" }),
);
