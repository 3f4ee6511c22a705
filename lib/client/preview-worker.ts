import { type PreviewOf, previewOf } from "@/lib/markdown/preview";

/** The worker's entry: reports that it is ready, then renders one text. */
addEventListener("message", ({ data }: MessageEvent<PreviewOf>) => postMessage(previewOf(data)));
postMessage("ready");
