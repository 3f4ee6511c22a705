import { previewOf } from "@/lib/markdown/preview";

/** The worker's entry: says that it is there, then answers one text. */
addEventListener("message", ({ data }: MessageEvent<string>) => postMessage(previewOf(data)));
postMessage("ready");
