import type { Reviewed } from "@/lib/features/content/seo/material";
import { reviewOf } from "@/lib/features/content/seo/review";

/** The worker's entry: reports that it is ready, then reviews one piece. */
addEventListener("message", ({ data }: MessageEvent<Reviewed>) => postMessage(reviewOf(data)));
postMessage("ready");
