import { startRealWordPress } from "@/tests/support/real-wordpress";
import { describeWordPressContract } from "@/tests/support/wordpress/contract";

describeWordPressContract("a real WordPress with pretty permalinks", () => startRealWordPress());

describeWordPressContract("a real WordPress with plain permalinks in a subdirectory", () =>
  startRealWordPress({ permalinks: "plain", subdirectory: "/blog" }),
);
