import { fromHtml } from "@/lib/markdown/from-html";

/** The worker's entry: reports that it is ready, then turns one clipboard into Markdown. */
addEventListener("message", ({ data }: MessageEvent<{ html: string; text: string }>) =>
  postMessage(fromHtml(data.html, data.text)),
);
postMessage("ready");
